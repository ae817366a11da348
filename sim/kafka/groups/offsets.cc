#include "sim/kafka/groups/offsets.h"

#include <utility>

#include "sim/kafka/groups/offset_records.h"
#include "sim/kafka/groups/offsets_only_group.h"

namespace wt::kafka {
namespace {

constexpr schema::Version kFirstVersionThatKnowsGroups = 9;
constexpr std::int64_t kBrokersRetention = -1;

using FetchTopics = OffsetFetchRequest::OffsetFetchRequestTopics;
using FetchedTopics = OffsetFetchResponse::OffsetFetchResponseTopics;
using FetchedPartition = OffsetFetchResponse::OffsetFetchResponsePartitions;
using FetchedGroup = OffsetFetchResponse::OffsetFetchResponseGroup;

GroupRecord tombstone(std::string_view group, const std::string& topic, std::int32_t partition) {
  OffsetCommitKey key;
  key.group = group;
  key.topic = topic;
  key.partition = partition;
  return group_tombstone(std::move(key));
}

// A member may be some epochs behind for partitions that it has had for longer.
ErrorCode check_partitions(const Group& group, const Committer& committer, const OffsetCommitRequest& request,
                           const controller::MetadataImage& image) {
  for (const auto& topic : request.topics) {
    const controller::TopicState* known = image.topic(topic.name);
    const Uuid topic_id = known == nullptr ? topic.topic_id : known->topic_id;
    for (const auto& partition : topic.partitions) {
      const ErrorCode code = group.check_commit_partition(committer, topic_id, partition.partition_index);
      if (code != ErrorCode::kNone) return code;
    }
  }
  return ErrorCode::kNone;
}

ErrorCode check_commit(GroupShard& shard, const OffsetCommitRequest& request, schema::Version version) {
  Group* group = shard.find(request.group_id);
  if (group == nullptr) {
    // Somebody who is in no group: it is made by the record.
    if (request.generation_id_or_member_epoch < 0) return ErrorCode::kNone;
    return version >= kFirstVersionThatKnowsGroups ? ErrorCode::kGroupIdNotFound
                                                   : ErrorCode::kIllegalGeneration;
  }
  Committer committer;
  committer.member_id = request.member_id;
  committer.instance_id = request.group_instance_id;
  committer.generation = request.generation_id_or_member_epoch;
  committer.api_version = version;
  const ErrorCode code = group->check_commit(committer);
  return code != ErrorCode::kNone ? code : check_partitions(*group, committer, request, shard.image());
}

// Java counts UTF-16 units.
std::size_t java_length(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if ((byte & 0xc0) != 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}

}  // namespace

ErrorCode commit_offsets(GroupShard& shard, const OffsetCommitRequest& request, schema::Version version,
                         OffsetCommitResponse& response, std::vector<GroupRecord>& records) {
  const ErrorCode refused = check_commit(shard, request, version);
  if (refused != ErrorCode::kNone) return refused;
  const auto most_metadata =
      static_cast<std::size_t>(shard.settings(request.group_id).offset_metadata_max_bytes);
  const std::int64_t now_ms = to_ms(shard.now());
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.name = topic.name;
    answers.topic_id = topic.topic_id;
    for (const auto& partition : topic.partitions) {
      auto& answer = answers.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      const std::string metadata = partition.committed_metadata.value_or("");
      if (java_length(metadata) > most_metadata) {
        answer.error_code = ErrorCode::kOffsetMetadataTooLarge;
        continue;
      }
      OffsetCommitKey key;
      key.group = request.group_id;
      key.topic = topic.name;
      key.partition = partition.partition_index;
      OffsetCommitValue value;
      value.offset = partition.committed_offset;
      value.leader_epoch = partition.committed_leader_epoch;
      value.metadata = metadata;
      value.commit_timestamp = now_ms;
      value.topic_id = topic.topic_id;
      if (request.retention_time_ms != kBrokersRetention) {
        value.expire_timestamp = saturating_add(now_ms, request.retention_time_ms);
      }
      records.push_back(group_record(std::move(key), std::move(value)));
    }
  }
  // Its first record makes a group; one that asks in vain is made without.
  if (records.empty()) shard.find_or_make_empty(request.group_id);
  return ErrorCode::kNone;
}

// --- fetching ---

namespace {

FetchedPartition fetched(GroupShard& shard, std::string_view group, std::string_view topic,
                         const Uuid& topic_id, std::int32_t partition, bool require_stable) {
  FetchedPartition answer;
  answer.partition_index = partition;
  answer.committed_offset = -1;
  const OffsetStore& offsets = shard.offsets();
  if (require_stable && offsets.is_pending(group, topic, partition)) {
    answer.error_code = ErrorCode::kUnstableOffsetCommit;
    return answer;
  }
  const CommittedOffset* known = offsets.find(group, topic, partition);
  if (known == nullptr) return answer;
  // Of an earlier topic of that name.
  if (!topic_id.is_zero() && !known->topic_id.is_zero() && topic_id != known->topic_id) return answer;
  answer.committed_offset = known->offset;
  answer.committed_leader_epoch = known->leader_epoch;
  answer.metadata = known->metadata;
  return answer;
}

ErrorCode check_fetch(const Group& group, const OffsetFetchRequest::OffsetFetchRequestGroup& request) {
  // An empty id is that of a member, which nobody has; no id at all is an administrator.
  const bool names_nobody = request.member_id && request.member_id->empty();
  if (group.kind() == GroupKind::consumer && names_nobody) return ErrorCode::kUnknownMemberId;
  return group.check_fetch(request.member_id.value_or(""), request.member_epoch);
}

}  // namespace

FetchedGroup fetch_offsets(GroupShard& shard, const OffsetFetchRequest::OffsetFetchRequestGroup& request,
                           bool require_stable) {
  FetchedGroup response;
  response.group_id = request.group_id;
  const Group* group = shard.find(request.group_id);
  if (group != nullptr) {
    response.error_code = check_fetch(*group, request);
    if (response.error_code != ErrorCode::kNone) return response;
  }
  if (request.topics) {
    for (const FetchTopics& topic : *request.topics) {
      FetchedTopics& answers = response.topics.emplace_back();
      answers.name = topic.name;
      answers.topic_id = topic.topic_id;
      for (const std::int32_t partition : topic.partition_indexes) {
        answers.partitions.push_back(
            fetched(shard, request.group_id, topic.name, topic.topic_id, partition, require_stable));
      }
    }
    return response;
  }
  const OffsetStore::Topics* topics = shard.offsets().find(request.group_id);
  if (group == nullptr || topics == nullptr) return response;
  for (const auto& [topic, partitions] : *topics) {
    FetchedTopics& answers = response.topics.emplace_back();
    answers.name = topic;
    for (const auto& [partition, offset] : partitions) {
      answers.partitions.push_back(
          fetched(shard, request.group_id, topic, Uuid(), partition, require_stable));
    }
  }
  return response;
}

// --- deleting ---

ErrorCode delete_offsets(GroupShard& shard, const OffsetDeleteRequest& request,
                         OffsetDeleteResponse& response, std::vector<GroupRecord>& records) {
  const Group* group = shard.find(request.group_id);
  if (group == nullptr) return ErrorCode::kGroupIdNotFound;
  const ErrorCode refused = group->check_offset_delete();
  if (refused != ErrorCode::kNone) return refused;
  for (const auto& topic : request.topics) {
    auto& answers = response.topics.emplace_back();
    answers.name = topic.name;
    const bool wanted = group->subscribes_to(topic.name);
    for (const auto& partition : topic.partitions) {
      auto& answer = answers.partitions.emplace_back();
      answer.partition_index = partition.partition_index;
      if (wanted) {
        answer.error_code = ErrorCode::kGroupSubscribedToTopic;
      } else if (shard.offsets().knows(request.group_id, topic.name, partition.partition_index)) {
        records.push_back(tombstone(request.group_id, topic.name, partition.partition_index));
      }
    }
  }
  return ErrorCode::kNone;
}

ErrorCode delete_group(GroupShard& shard, std::string_view id, std::vector<GroupRecord>& records) {
  const Group* group = shard.find(id);
  if (group == nullptr) return ErrorCode::kGroupIdNotFound;
  const ErrorCode refused = group->check_delete();
  if (refused != ErrorCode::kNone) return refused;
  const OffsetStore& offsets = shard.offsets();
  if (const OffsetStore::Topics* topics = offsets.find(id)) {
    for (const auto& [topic, partitions] : *topics) {
      for (const auto& [partition, offset] : partitions) records.push_back(tombstone(id, topic, partition));
    }
  }
  offsets.for_each_pending(id, [&](const std::string& topic, std::int32_t partition) {
    if (offsets.find(id, topic, partition) == nullptr) records.push_back(tombstone(id, topic, partition));
  });
  group->delete_records(records);
  return ErrorCode::kNone;
}

// --- growing old ---

namespace {

// True when the group has no offsets left that are worth keeping.
bool expire_group(GroupShard& shard, const Group& group, std::vector<GroupRecord>& records) {
  const OffsetStore& offsets = shard.offsets();
  const OffsetStore::Topics* topics = offsets.find(group.id());
  if (topics == nullptr) return !offsets.has_transactions(group.id());
  const std::optional<OffsetExpiry> expiry = group.offset_expiry();
  if (!expiry) return false;
  const std::int64_t now_ms = to_ms(shard.now());
  const std::int64_t retention_ms = shard.options().retention_ms;
  bool all = true;
  for (const auto& [topic, partitions] : *topics) {
    const bool wanted = group.subscribes_to(topic);
    for (const auto& [partition, offset] : partitions) {
      const std::int64_t since_ms = expiry->since_ms.value_or(offset.commit_ms);
      const bool old = offset.expire_ms ? now_ms >= *offset.expire_ms : now_ms - since_ms >= retention_ms;
      if (old && !wanted && !offsets.is_pending(group.id(), topic, partition)) {
        records.push_back(tombstone(group.id(), topic, partition));
      } else {
        all = false;
      }
    }
  }
  return all && !offsets.has_transactions(group.id());
}

}  // namespace

void expire_offsets(GroupShard& shard, std::vector<GroupRecord>& records) {
  for (const auto& [id, group] : shard.groups()) {
    if (expire_group(shard, *group, records) && group->is_empty()) group->delete_records(records);
  }
}

void forget_topic(GroupShard& shard, std::string_view topic, std::vector<GroupRecord>& records) {
  const OffsetStore& offsets = shard.offsets();
  for (const auto& [id, group] : shard.groups()) {
    std::set<std::int32_t> numbers;
    if (const OffsetStore::Topics* topics = offsets.find(id)) {
      const auto found = topics->find(topic);
      if (found != topics->end()) {
        for (const auto& [partition, offset] : found->second) numbers.insert(partition);
      }
    }
    offsets.for_each_pending(id, [&](const std::string& name, std::int32_t partition) {
      if (name == topic) numbers.insert(partition);
    });
    for (const std::int32_t partition : numbers) {
      records.push_back(tombstone(id, std::string(topic), partition));
    }
  }
}

// --- replay ---

namespace {

void replay_offset(GroupShard& shard, const GroupRecord& record) {
  const auto& key = *record.key.get<OffsetCommitKey>();
  const auto* value = record.value ? record.value.get<OffsetCommitValue>() : nullptr;
  if (value == nullptr) {
    shard.offsets().erase(key.group, key.topic, key.partition);
    const bool gone = shard.find_as<OffsetsOnlyGroup>(key.group) != nullptr &&
                      !shard.offsets().has_any(key.group) && !shard.offsets().has_transactions(key.group);
    if (gone) shard.remove(key.group);
    return;
  }
  shard.find_or_make_empty(key.group);
  CommittedOffset offset;
  offset.offset = value->offset;
  offset.leader_epoch = value->leader_epoch;
  offset.metadata = value->metadata;
  offset.commit_ms = value->commit_timestamp;
  if (value->expire_timestamp != -1) offset.expire_ms = value->expire_timestamp;
  offset.topic_id = value->topic_id;
  offset.record_offset = shard.place().offset;
  if (shard.place().producer_id < 0) {
    shard.offsets().put(key.group, key.topic, key.partition, std::move(offset));
  } else {
    shard.offsets().put_pending(shard.place().producer_id, key.group, key.topic, key.partition,
                                std::move(offset));
  }
}

}  // namespace

const GroupModule& offsets_module() {
  static const GroupModule module{offset_record_types(), replay_offset, nullptr, nullptr};
  return module;
}

}  // namespace wt::kafka
