// Records of a coordinator's log as bytes: two bytes of version, then the fields, for key and value.
//
// The version of a key says what kind of record it is. Kinds are registered; whoever reads a log skips
// what it does not know, as a broker does that was downgraded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "sim/kafka/groups/model/record.h"
#include "sim/kernel/status.h"

namespace wt::kafka {

struct RecordType {
  std::int16_t key_version = 0;
  const schema::Table* key = nullptr;
  const schema::Table* value = nullptr;
  schema::Version value_version = 0;  // in which values are written; every version of the table is read
  // Where the version depends on what is in the value.
  schema::Version (*choose_version)(const schema::AnyMessage& value) = nullptr;
  bool read_only = false;  // an older form that is not written any more
};

struct RecordBytes {
  Slice key;
  std::optional<Slice> value;  // nothing: a tombstone
};

class RecordCodec {
 public:
  // Types have key versions of their own.
  void add(const RecordType& type);

  // InvalidArgument: the record has no type, or a field cannot be said in its version.
  StatusOr<RecordBytes> encode(const GroupRecord& record) const;
  // NotFound: a kind, or a version of a value, that nobody knows. InvalidArgument: malformed.
  StatusOr<GroupRecord> decode(std::span<const std::uint8_t> key,
                               std::optional<std::span<const std::uint8_t>> value) const;
  // The type of a record; null when its key's table is not registered.
  const RecordType* type_of(const GroupRecord& record) const;

 private:
  std::map<std::int16_t, RecordType> types_;  // by key version
};

}  // namespace wt::kafka
