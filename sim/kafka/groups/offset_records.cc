#include "sim/kafka/groups/offset_records.h"

namespace wt::kafka {

using schema::between;
using schema::kNeverFlexible;
using schema::since;

namespace {

constexpr std::int16_t kOldestKey = 0;
constexpr std::int16_t kKey = 1;
constexpr schema::Version kWithExpiry = 1;
constexpr schema::Version kPlain = 3;
constexpr schema::Version kWithTopicId = 4;

// Only version 1 has room for an expiry of its own, and only version 4 for the id of the topic.
schema::Version version_of(const schema::AnyMessage& value) {
  const auto& commit = *value.get<OffsetCommitValue>();
  if (commit.expire_timestamp != -1) return kWithExpiry;
  return commit.topic_id.is_zero() ? kPlain : kWithTopicId;
}

}  // namespace

// One field a line.
// clang-format off
WT_MESSAGE(OffsetCommitKey, 0, 1, kNeverFlexible,
    WT_FIELD(group),
    WT_FIELD(topic),
    WT_FIELD(partition));
WT_MESSAGE(OffsetCommitValue, 0, 4, 4,
    WT_FIELD(offset),
    WT_FIELD(leader_epoch).in(since(3)).ignorable(),
    WT_FIELD(metadata),
    WT_FIELD(commit_timestamp),
    WT_FIELD(expire_timestamp).in(between(1, 1)).ignorable(),
    WT_FIELD(topic_id).in(since(4)).tagged_as(0).ignorable());
// clang-format on

std::vector<RecordType> offset_record_types() {
  RecordType type;
  type.key_version = kKey;
  type.key = &OffsetCommitKey::kTable;
  type.value = &OffsetCommitValue::kTable;
  type.choose_version = version_of;
  RecordType old = type;
  old.key_version = kOldestKey;
  old.read_only = true;
  return {type, old};
}

}  // namespace wt::kafka
