// The order in which a broker lists groups and members: that of the hash tables in which it keeps them.
//
// Clients may not rely on it, but see it: Kafka's own tests compare such lists as they come. An order depends
// on how the table has grown (tables never shrink) and, among keys of one slot, on which came first; so it is
// kept beside the container that holds the values.
//
// Sources: java.util.HashMap and ConcurrentHashMap (OpenJDK 17); Apache Kafka 4.3, server-common,
// org.apache.kafka.timeline.BaseHashTable and SnapshottableHashTable. Not followed: what HashMap does with
// more than eight keys in one slot, and a TimelineHashMap that is rolled back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wt::kafka {

// String.hashCode() of the text, which is UTF-8: Java hashes UTF-16 units. What is no UTF-8 counts as
// replacement characters.
std::uint32_t java_hash(std::string_view text);

class HashOrder {
 public:
  enum class Table : std::uint8_t {
    hash_map,  // java.util.HashMap
    timeline,  // org.apache.kafka.timeline.TimelineHashMap, made for no entries
  };
  explicit HashOrder(Table table);

  // As often as the broker puts the key: a timeline table may grow although the key is there.
  void put(std::string_view key);
  void erase(std::string_view key);
  // As a new table.
  void clear();
  std::size_t size() const noexcept { return size_; }

  std::vector<std::string> listed() const;
  // Empty without keys.
  std::string first() const;

 private:
  std::size_t slot_of(std::string_view key) const;
  void grow();

  Table table_;
  std::size_t size_ = 0;
  std::vector<std::vector<std::string>> slots_;  // in each the oldest key first
};

// Sorts partitions of one topic as a ConcurrentHashMap by TopicPartition lists them that once held `most`
// entries. Partitions of one slot stay in the order that they come in; a broker has them in the order in
// which it got them.
void sort_as_concurrent_map(std::string_view topic, std::size_t most, std::vector<std::int32_t>& partitions);

}  // namespace wt::kafka
