// The record that a classic group leaves in the coordinator's log: what must outlive its coordinator.
//
// Source: Apache Kafka, group-coordinator, GroupMetadataKey.json and GroupMetadataValue.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// The version that brokers write since 2.3; older and newer ones are read.
inline constexpr schema::Version kGroupMetadataVersion = 3;

struct GroupMetadataKey {
  std::string group;
  WT_HAS_TABLE;
};

struct GroupMetadataValue {
  struct MemberMetadata {
    std::string member_id;
    std::optional<std::string> group_instance_id;
    std::string client_id;
    std::string client_host;
    std::int32_t rebalance_timeout = -1;  // -1: as the session
    std::int32_t session_timeout = 0;
    Slice subscription;
    Slice assignment;
    WT_HAS_TABLE;
  };
  std::string protocol_type;
  std::int32_t generation = 0;
  std::optional<std::string> protocol = std::string{};
  std::optional<std::string> leader = std::string{};
  std::int64_t current_state_timestamp = -1;
  std::vector<MemberMetadata> members;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka
