// Settings of a broker's group coordinator.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/kafka/groups/model/group.h"

namespace wt::kafka {

struct GroupModule;

inline constexpr std::string_view kOffsetsTopic = "__consumer_offsets";

struct GroupCoordinatorOptions {
  std::int32_t partitions = 50;                        // offsets.topic.num.partitions
  std::int16_t replication_factor = 3;                 // offsets.topic.replication.factor
  std::int32_t segment_bytes = 104'857'600;            // offsets.topic.segment.bytes
  std::int64_t retention_ms = 10'080LL * 60'000;       // offsets.retention.minutes
  std::int64_t retention_check_interval_ms = 600'000;  // offsets.retention.check.interval.ms
  GroupSettings settings;
  // Those of these settings that are in the broker's file, by their names there.
  std::map<std::string, std::string, std::less<>> static_configs;
  std::vector<const GroupModule*> modules;
};

}  // namespace wt::kafka
