// The first pass of encoding: how many bytes, and can it be said at all. Internal to codec_*.cc.
#pragma once

#include "absl/status/status.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

inline std::size_t varint_size(std::uint64_t value) {
  std::size_t size_bytes = 1;
  while (value >= 0x80) value >>= 7, ++size_bytes;
  return size_bytes;
}

class Measure {
 public:
  Measure(schema::Version version, bool flexible, std::size_t inline_below_bytes)
      : version_(version), flexible_(flexible), inline_below_bytes_(inline_below_bytes) {}

  // False when a value does not fit its version; status() says which.
  bool add(const schema::Table& table, const void* object, const schema::Path* path);
  // One field's value, which is present in this version.
  bool add_field(const schema::Field& field, const void* object, const schema::Path* path);

  std::size_t total_bytes() const { return total_bytes_; }
  // How many of these are records that stay in their own slices.
  std::size_t apart_bytes() const { return apart_bytes_; }
  const absl::Status& status() const { return status_; }

 private:
  bool add_value(const schema::Field& field, const void* value, const schema::Path* path);
  bool add_tags(const schema::Table& table, const void* object, const schema::Path* path);
  bool add_length(const schema::Field& field, std::size_t length, std::size_t limit,
                  std::size_t classic_bytes, const schema::Path* path);
  bool fail(const schema::Path* path, std::string_view what);

  schema::Version version_;
  bool flexible_;
  std::size_t inline_below_bytes_;
  std::size_t total_bytes_ = 0;
  std::size_t apart_bytes_ = 0;
  absl::Status status_;
};

// Are records of this size copied between the other fields?
inline bool is_inlined(std::size_t size_bytes, std::size_t inline_below_bytes) {
  return size_bytes == 0 || size_bytes < inline_below_bytes;
}

// The table's tagged field of that number, in whatever versions it lives.
const schema::Field* find_tag(const schema::Table& table, std::uint32_t tag);

}  // namespace wt::kafka
