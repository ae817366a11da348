// The hash of topics that brokers keep in a group's epoch record (KIP-1101).
#pragma once

#include <cstdint>
#include <span>

#include "sim/controller/image.h"

namespace wt::kafka {

std::uint64_t topic_hash(const controller::TopicState& topic, const controller::MetadataImage& image);
// Of the topics' hashes in the order of their names; 0 without topics.
std::uint64_t group_hash(std::span<const std::uint64_t> topic_hashes);

}  // namespace wt::kafka
