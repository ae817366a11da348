// What topic and broker configs mean for a partition.
#pragma once

#include "sim/broker/partition.h"
#include "sim/controller/image.h"

namespace wt::broker {

PartitionSettings partition_settings(const controller::MetadataImage& image,
                                     const controller::TopicState& topic, std::int32_t broker);

}  // namespace wt::broker
