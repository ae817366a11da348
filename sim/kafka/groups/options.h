// Settings of a broker's group coordinator.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/kafka/groups/model/group.h"

namespace wt::kafka {

struct GroupModule;

inline constexpr std::string_view kOffsetsTopic = "__consumer_offsets";

// Protocols of groups, as bits: what group.coordinator.rebalance.protocols names.
inline constexpr std::uint8_t kClassicProtocol = 1;
inline constexpr std::uint8_t kConsumerProtocol = 2;
inline constexpr std::uint8_t kStreamsProtocol = 4;
inline constexpr std::uint8_t kShareProtocol = 8;  // may be named, and changes nothing

struct GroupCoordinatorOptions {
  std::int32_t partitions = 50;                        // offsets.topic.num.partitions
  std::int16_t replication_factor = 3;                 // offsets.topic.replication.factor
  std::int32_t segment_bytes = 104'857'600;            // offsets.topic.segment.bytes
  std::int64_t retention_ms = 10'080LL * 60'000;       // offsets.retention.minutes
  std::int64_t retention_check_interval_ms = 600'000;  // offsets.retention.check.interval.ms
  std::uint8_t protocols = kClassicProtocol | kConsumerProtocol | kStreamsProtocol;
  GroupSettings settings;
  // Those of these settings that are in the broker's file, by their names there.
  std::map<std::string, std::string, std::less<>> static_configs;
  std::vector<const GroupModule*> modules;
};

}  // namespace wt::kafka
