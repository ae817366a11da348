#include "sim/kafka/groups/consumer/metadata_hash.h"

#include <algorithm>
#include <string>
#include <vector>

#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

namespace wt::kafka {
namespace {

constexpr std::uint8_t kMagic = 0;

// Little-endian numbers; texts as UTF-16 units followed by their number.
class Bytes {
 public:
  void put(std::uint64_t value, int size_bytes) {
    for (int i = 0; i < size_bytes; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  void put_text(std::string_view text) {
    for (const char character : text) put(static_cast<unsigned char>(character), 2);
    put(text.size(), 4);
  }
  std::uint64_t hash() const { return XXH3_64bits(bytes_.data(), bytes_.size()); }

 private:
  std::vector<std::uint8_t> bytes_;
};

std::vector<std::string> racks_of(const controller::PartitionState& partition,
                                  const controller::MetadataImage& image) {
  std::vector<std::string> racks;
  for (const auto replica : partition.replicas) {
    const auto* broker = image.broker(replica);
    if (broker != nullptr && !broker->rack.empty()) racks.push_back(broker->rack);
  }
  std::stable_sort(racks.begin(), racks.end());
  return racks;
}

}  // namespace

std::uint64_t topic_hash(const controller::TopicState& topic, const controller::MetadataImage& image) {
  Bytes bytes;
  bytes.put(kMagic, 1);
  bytes.put(topic.topic_id.high(), 8);
  bytes.put(topic.topic_id.low(), 8);
  bytes.put_text(topic.name);
  bytes.put(static_cast<std::uint32_t>(topic.partition_count()), 4);
  for (std::int32_t number = 0; number < topic.partition_count(); ++number) {
    bytes.put(static_cast<std::uint32_t>(number), 4);
    for (const std::string& rack : racks_of(*topic.partition(number), image)) {
      bytes.put(rack.size(), 4);
      bytes.put_text(rack);
    }
  }
  return bytes.hash();
}

std::uint64_t group_hash(std::span<const std::uint64_t> topic_hashes) {
  if (topic_hashes.empty()) return 0;
  Bytes bytes;
  for (const std::uint64_t hash : topic_hashes) bytes.put(hash, 8);
  return bytes.hash();
}

}  // namespace wt::kafka
