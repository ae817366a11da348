// Topics: create, delete, grow.
#include <algorithm>

#include "sim/controller/names.h"
#include "sim/controller/planner.h"

namespace wt::controller {
namespace {

constexpr std::string_view kMetadataTopic = "__cluster_metadata";
constexpr std::string_view kTopicUuidProperty = "kafkaTopicUUID";
// Most partitions that one request may ask for.
constexpr std::int64_t kMaxPartitionsAtOnce = 10'000;

Error duplicate_name() {
  return Error(ErrorCode::invalid_request, "Duplicate topic name.");
}

Error general_error(ErrorCode code) {
  return Error(code, std::string(general_message(code)));
}

std::string count_text(std::size_t count) {
  return std::to_string(count);
}

}  // namespace

Uuid Planner::new_topic_id() {
  // A random UUID of version 4. The reserved ids of Kafka (zero, one, and those whose text begins with a
  // dash) are drawn again, and so is one that exists.
  for (;;) {
    std::uint64_t high = ids_.next();
    std::uint64_t low = ids_.next();
    high = (high & ~0xF000ULL) | 0x4000ULL;
    low = (low & ~(0xC0ULL << 56)) | (0x80ULL << 56);
    const Uuid id = Uuid::from_halves(high, low);
    if (!id.text().starts_with('-') && image().topic(id) == nullptr) return id;
  }
}

// --- assignments ---

Error Planner::check_factor(std::int16_t factor) const {
  if (!options_.single_replica || factor == 1) return {};
  return Error(ErrorCode::invalid_replication_factor,
               "Replication factor must be 1: the cluster keeps single-replica partitions only.");
}

Error Planner::check_room(std::size_t partitions) const {
  if (image().partition_count() + partitions <= options_.max_partitions) return {};
  return Error(ErrorCode::policy_violation,
               "The cluster holds at most " + count_text(options_.max_partitions) + " partitions.");
}

Error Planner::check_assignment(const Assignment& replicas, std::size_t expected_size) const {
  const auto refuse = [](const std::string& why) {
    return Error(ErrorCode::invalid_replica_assignment, "The manual partition assignment includes " + why);
  };
  if (replicas.empty()) return refuse("an empty replica list.");
  Assignment sorted = replicas;
  std::stable_sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const std::string id = std::to_string(sorted[i]);
    if (image().broker(sorted[i]) == nullptr)
      return refuse("broker " + id + ", but no such broker is registered.");
    if (i > 0 && sorted[i - 1] == sorted[i]) return refuse("the broker " + id + " more than once.");
  }
  if (expected_size != 0 && replicas.size() != expected_size) {
    return refuse("a partition with " + count_text(replicas.size()) +
                  " replica(s), but this is not consistent with previous partitions, which have " +
                  count_text(expected_size) + " replica(s).");
  }
  return {};
}

Error Planner::take_assignments(const CreateTopics::Topic& topic, std::vector<Assignment>& out) const {
  if (topic.replication_factor != -1) {
    return Error(ErrorCode::invalid_request,
                 "A manual partition assignment was specified, but replication factor was not set to -1.");
  }
  if (topic.partitions != -1) {
    return Error(ErrorCode::invalid_request,
                 "A manual partition assignment was specified, but numPartitions was not set to -1.");
  }
  const auto refuse = [](const std::string& why) {
    return Error(ErrorCode::invalid_replica_assignment, why);
  };
  std::map<std::int32_t, Assignment> by_number;
  std::size_t factor = 0;
  for (const auto& [number, brokers] : topic.assignments) {
    if (by_number.contains(number))
      return refuse("Found multiple manual partition assignments for partition " + std::to_string(number));
    Error error = check_assignment(brokers, factor);
    if (error.ok()) error = check_factor(static_cast<std::int16_t>(brokers.size()));
    if (!error.ok()) return error;
    factor = brokers.size();
    if (std::none_of(brokers.begin(), brokers.end(), [this](BrokerId id) { return image().is_active(id); })) {
      return refuse("All brokers specified in the manual partition assignment for partition " +
                    std::to_string(number) + " are fenced or in controlled shutdown.");
    }
    by_number[number] = brokers;
  }
  for (auto& [number, brokers] : by_number) {
    if (number != static_cast<std::int32_t>(out.size()))
      return refuse("partitions should be a consecutive 0-based integer sequence");
    out.push_back(std::move(brokers));
  }
  return {};
}

Error Planner::place_new_topic(const CreateTopics::Topic& topic, std::vector<Assignment>& out) {
  if (!topic.assignments.empty()) return take_assignments(topic, out);
  if (topic.replication_factor < -1 || topic.replication_factor == 0) {
    return Error(ErrorCode::invalid_replication_factor,
                 "Replication factor must be larger than 0, or -1 to use the default value.");
  }
  if (topic.partitions < -1 || topic.partitions == 0) {
    return Error(ErrorCode::invalid_partitions,
                 "Number of partitions was set to an invalid non-positive value.");
  }
  std::int16_t factor = topic.replication_factor;
  if (factor == -1) factor = options_.default_replication_factor;
  if (factor == -1) {
    const std::size_t brokers = std::clamp<std::size_t>(image().brokers().size(), 1, 3);
    factor = options_.single_replica ? std::int16_t{1} : static_cast<std::int16_t>(brokers);
  }
  Error error = check_factor(factor);
  if (!error.ok()) return error;
  const std::int32_t count = topic.partitions == -1 ? options_.default_partitions : topic.partitions;
  return place(count, factor, out);
}

void Planner::emit_partition(const Uuid& topic_id, std::int32_t number, const Assignment& replicas) {
  PartitionRecord record;
  record.topic_id = topic_id;
  record.partition = number;
  record.replicas = replicas;
  for (const BrokerId id : replicas) {
    if (image().is_active(id)) record.isr.push_back(id);
  }
  if (!record.isr.empty()) record.leader = record.isr.front();
  emit(std::move(record));
}

// --- create ---

// A topic `x-partition-0` and partition 0 of a topic `x` would be the same topic to a Pulsar client.
Error Planner::check_partition_names(std::string_view name, std::int32_t first, std::int32_t count) const {
  const auto refuse = [name](const std::string& other) {
    return Error(ErrorCode::invalid_topic_exception,
                 "Topic '" + std::string(name) + "' collides with existing topic: " + other);
  };
  if (const auto split = split_partition_name(name)) {
    const TopicState* topic = image().topic(split->topic);
    if (topic != nullptr && split->partition < topic->partition_count()) return refuse(topic->name);
  }
  for (std::int32_t number = first; number < first + count; ++number) {
    const std::string hidden = partition_name(name, number);
    if (image().topic(hidden) != nullptr) return refuse(hidden);
  }
  return {};
}

Error Planner::check_new_topic(const CreateTopics::Topic& topic, const std::string& name,
                               bool allow_full_names) const {
  if (topic.name == kMetadataTopic) {
    return Error(ErrorCode::invalid_request, "Creation of internal topic __cluster_metadata is prohibited.");
  }
  if (image().topic(name) != nullptr)
    return Error(ErrorCode::topic_already_exists, "Topic '" + topic.name + "' already exists.");
  Error error = validate_topic_name(topic.name, allow_full_names);
  if (!error.ok()) return error;
  if (const std::string* other = image().colliding_topic(name)) {
    return Error(ErrorCode::invalid_topic_exception,
                 "Topic '" + topic.name + "' collides with existing topic: " + *other);
  }
  return {};
}

Error Planner::check_topic_configs(const CreateTopics::Topic& topic, ConfigMap& configs) const {
  std::string nulls;
  for (const auto& [key, value] : topic.configs) {
    if (!value) {
      nulls += (nulls.empty() ? "" : ",") + key;
    } else {
      configs[key] = *value;
    }
  }
  if (!nulls.empty())
    return Error(ErrorCode::invalid_config, "Null value not supported for topic configs: " + nulls);
  Error error = validate_topic_configs(configs, options_.release);
  if (!error.ok()) return error;
  return check_single_replica(configs);
}

Error Planner::check_single_replica(const ConfigMap& configs) const {
  const auto found = configs.find("min.insync.replicas");
  if (!options_.single_replica || found == configs.end() || found->second == "1") return {};
  return Error(ErrorCode::invalid_config, "Invalid value " + found->second +
                                              " for configuration min.insync.replicas: Value must be 1 in a "
                                              "cluster of single-replica partitions");
}

Error Planner::create_topic(const CreateTopics::Topic& topic, const std::string& name,
                            CreateTopics::Result& result) {
  ConfigMap configs;
  Error error = check_topic_configs(topic, configs);
  std::vector<Assignment> assignments;
  const std::uint64_t cursor = cursor_;
  if (error.ok()) error = place_new_topic(topic, assignments);
  const auto count = static_cast<std::int32_t>(assignments.size());
  if (error.ok()) error = check_partition_names(name, 0, count);
  if (error.ok()) error = check_room(assignments.size());
  if (!error.ok()) {
    cursor_ = cursor;
    return error;
  }
  const Uuid topic_id = new_topic_id();
  emit(TopicRecord{name, topic_id});
  for (const auto& [key, value] : configs) {
    emit(ConfigRecord{ConfigResourceType::topic, name, key, value});
    result.configs[key] = value;
  }
  for (std::int32_t number = 0; number < count; ++number)
    emit_partition(topic_id, number, assignments[static_cast<std::size_t>(number)]);
  emit(TopicPropertyRecord{topic_id, std::string(kTopicUuidProperty), topic_id.hex_text()});
  for (const auto& [key, value] : topic.properties) {
    if (key != kTopicUuidProperty) emit(TopicPropertyRecord{topic_id, key, value});
  }
  result.topic_id = topic_id;
  result.partitions = count;
  result.replication_factor = static_cast<std::int16_t>(assignments.front().size());
  return {};
}

CreateTopics::Response Planner::plan(const CreateTopics& request) {
  std::map<std::string, std::size_t> names;
  std::int64_t partitions = 0;
  for (const CreateTopics::Topic& topic : request.topics) {
    ++names[topic.name];
    partitions += topic.assignments.empty() ? std::max(0, topic.partitions)
                                            : static_cast<std::int64_t>(topic.assignments.size());
  }
  std::map<std::string, CreateTopics::Result> results;
  for (const CreateTopics::Topic& topic : request.topics) {
    CreateTopics::Result& result = results[topic.name];
    result.name = topic.name;
    if (names[topic.name] > 1) {
      result.error = duplicate_name();
      continue;
    }
    if (partitions > kMaxPartitionsAtOnce) {
      result.error =
          Error(ErrorCode::policy_violation, "Excessively large number of partitions per request.");
      continue;
    }
    const std::string name = request.allow_full_names ? kafka_topic_name(topic.name) : topic.name;
    result.error = check_new_topic(topic, name, request.allow_full_names);
    if (result.error.ok()) result.error = create_topic(topic, name, result);
  }
  CreateTopics::Response response;
  for (auto& [name, result] : results) response.results.push_back(std::move(result));
  if (request.validate_only) discard();
  response.end_offset = image().end_offset();
  return response;
}

// --- delete ---

DeleteTopics::Response Planner::plan(const DeleteTopics& request) {
  DeleteTopics::Response response;
  std::map<std::string, std::size_t> names;
  std::map<Uuid, std::size_t> ids;
  for (const DeleteTopics::Topic& topic : request.topics) {
    if (topic.name && topic.topic_id.is_zero()) ++names[*topic.name];
    if (!topic.name && !topic.topic_id.is_zero()) ++ids[topic.topic_id];
  }
  std::set<std::string> answered_names;
  std::set<Uuid> answered_ids;  // those that a name stands for too are answered under the name
  for (const auto& [name, count] : names) {
    const TopicState* state = image().topic(name);
    if (state != nullptr && ids.contains(state->topic_id)) answered_ids.insert(state->topic_id);
  }
  for (const DeleteTopics::Topic& topic : request.topics) {
    const bool by_name = topic.name && topic.topic_id.is_zero();
    const bool by_id = !topic.name && !topic.topic_id.is_zero();
    if (by_name && !answered_names.insert(*topic.name).second) continue;
    if (by_id && !answered_ids.insert(topic.topic_id).second) continue;
    DeleteTopics::Result result;
    result.name = topic.name;
    result.topic_id = topic.topic_id;
    const TopicState* state = by_name ? image().topic(*topic.name) : image().topic(topic.topic_id);
    if (!options_.delete_topic_enable) {
      result.error = general_error(ErrorCode::topic_deletion_disabled);
    } else if (topic.name && !by_name) {
      result.error = Error(ErrorCode::invalid_request, "You may not specify both topic name and topic id.");
    } else if (!by_name && !by_id) {
      result.error = Error(ErrorCode::invalid_request, "Neither topic name nor id were specified.");
    } else if (by_name && names[*topic.name] > 1) {
      result.error = duplicate_name();
    } else if (by_id && ids[topic.topic_id] > 1) {
      result.error = Error(ErrorCode::invalid_request, "Duplicate topic id.");
    } else if (state == nullptr) {
      result.error =
          general_error(by_id ? ErrorCode::unknown_topic_id : ErrorCode::unknown_topic_or_partition);
    } else if (by_name && ids.contains(state->topic_id)) {
      result.topic_id = state->topic_id;
      result.error = Error(ErrorCode::invalid_request,
                           "The provided topic name maps to an ID that was already supplied.");
    } else {
      result.name = state->name;
      result.topic_id = state->topic_id;
    }
    response.results.push_back(std::move(result));
  }
  for (const DeleteTopics::Result& result : response.results) {
    if (result.error.ok()) emit(RemoveTopicRecord{result.topic_id});
  }
  response.end_offset = image().end_offset();
  return response;
}

// --- grow ---

Error Planner::add_partitions(const CreatePartitions::Topic& topic) {
  const TopicState* state = image().topic(topic.name);
  if (state == nullptr) return Error(ErrorCode::unknown_topic_or_partition);
  const std::int32_t current = state->partition_count();
  const std::string now = std::to_string(current);
  if (topic.count == current)
    return Error(ErrorCode::invalid_partitions, "Topic already has " + now + " partition(s).");
  if (topic.count < current) {
    return Error(ErrorCode::invalid_partitions, "The topic " + topic.name + " currently has " + now +
                                                    " partition(s); " + std::to_string(topic.count) +
                                                    " would not be an increase.");
  }
  const std::int32_t added = topic.count - current;
  const std::size_t factor = state->partition(0)->replicas.size();
  std::vector<Assignment> assignments;
  Error error = check_room(static_cast<std::size_t>(added));
  if (!error.ok()) return error;
  if (topic.assignments) {
    if (topic.assignments->size() != static_cast<std::size_t>(added)) {
      return Error(ErrorCode::invalid_replica_assignment,
                   "Attempted to add " + std::to_string(added) + " additional partition(s), but only " +
                       count_text(topic.assignments->size()) + " assignment(s) were specified.");
    }
    for (std::size_t i = 0; i < topic.assignments->size(); ++i) {
      const Assignment& brokers = (*topic.assignments)[i];
      error = check_assignment(brokers, factor);
      if (!error.ok()) return error;
      if (std::none_of(brokers.begin(), brokers.end(),
                       [this](BrokerId id) { return image().is_active(id); })) {
        return Error(ErrorCode::invalid_replica_assignment,
                     "All brokers specified in the manual partition assignment for partition " +
                         count_text(static_cast<std::size_t>(current) + i) +
                         " are fenced or in controlled shutdown.");
      }
      assignments.push_back(brokers);
    }
  } else {
    error = place(added, static_cast<std::int16_t>(factor), assignments);
  }
  if (error.ok()) error = check_partition_names(topic.name, current, added);
  if (!error.ok()) return error;
  const Uuid topic_id = state->topic_id;
  for (std::int32_t i = 0; i < added; ++i)
    emit_partition(topic_id, current + i, assignments[static_cast<std::size_t>(i)]);
  return {};
}

CreatePartitions::Response Planner::plan(const CreatePartitions& request) {
  CreatePartitions::Response response;
  std::map<std::string, std::size_t> names;
  std::int64_t added = 0;
  for (const CreatePartitions::Topic& topic : request.topics) {
    ++names[topic.name];
    const TopicState* state = image().topic(topic.name);
    if (state != nullptr)
      added += std::max(std::int64_t{0}, std::int64_t{topic.count} - state->partition_count());
  }
  std::set<std::string> answered;
  for (const CreatePartitions::Topic& topic : request.topics) {
    if (!answered.insert(topic.name).second) continue;
    CreatePartitions::Result result;
    result.name = topic.name;
    if (names[topic.name] > 1) {
      result.error = duplicate_name();
    } else if (added > kMaxPartitionsAtOnce) {
      result.error = Error(ErrorCode::policy_violation,
                           "Excessively large number of additional partitions per request.");
    } else {
      result.error = add_partitions(topic);
    }
    response.results.push_back(std::move(result));
  }
  if (request.validate_only) discard();
  response.end_offset = image().end_offset();
  return response;
}

AlterTopicProperties::Response Planner::plan(const AlterTopicProperties& request) {
  AlterTopicProperties::Response response;
  const TopicState* topic = image().topic(request.topic_id);
  if (topic == nullptr) {
    response.error = general_error(ErrorCode::unknown_topic_id);
  } else if (request.changes.contains(std::string(kTopicUuidProperty))) {
    response.error = Error(ErrorCode::invalid_request, "The property kafkaTopicUUID cannot be changed.");
  } else {
    for (const auto& [key, value] : request.changes) emit(TopicPropertyRecord{request.topic_id, key, value});
  }
  response.end_offset = image().end_offset();
  return response;
}

}  // namespace wt::controller
