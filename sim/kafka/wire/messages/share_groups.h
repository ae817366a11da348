// ShareGroupHeartbeat (76), ShareGroupDescribe (77).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct ShareGroupHeartbeatRequest {
  std::string group_id;
  std::string member_id;
  std::int32_t member_epoch = 0;
  std::optional<std::string> rack_id;
  std::optional<std::vector<std::string>> subscribed_topic_names;
  WT_HAS_TABLE;
};

struct ShareGroupHeartbeatResponse {
  struct TopicPartitions {
    Uuid topic_id;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  struct Assignment {
    std::vector<TopicPartitions> topic_partitions;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message;
  std::optional<std::string> member_id;
  std::int32_t member_epoch = 0;
  std::int32_t heartbeat_interval_ms = 0;
  std::optional<Assignment> assignment;
  WT_HAS_TABLE;
};

struct ShareGroupDescribeRequest {
  std::vector<std::string> group_ids;
  bool include_authorized_operations = false;
  WT_HAS_TABLE;
};

struct ShareGroupDescribeResponse {
  struct TopicPartitions {
    Uuid topic_id;
    std::string topic_name;
    std::vector<std::int32_t> partitions;
    WT_HAS_TABLE;
  };
  struct Assignment {
    std::vector<TopicPartitions> topic_partitions;
    WT_HAS_TABLE;
  };
  struct Member {
    std::string member_id;
    std::optional<std::string> rack_id;
    std::int32_t member_epoch = 0;
    std::string client_id;
    std::string client_host;
    std::vector<std::string> subscribed_topic_names;
    Assignment assignment;
    WT_HAS_TABLE;
  };
  struct DescribedGroup {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    std::string group_id;
    std::string group_state;
    std::int32_t group_epoch = 0;
    std::int32_t assignment_epoch = 0;
    std::string assignor_name;
    std::vector<Member> members;
    std::int32_t authorized_operations = std::numeric_limits<std::int32_t>::min();
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<DescribedGroup> groups;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka
