// Field tables: what a message looks like, as data.
//
// A message is a plain struct with default member initialisers plus one `constexpr` table that
// lists its fields in wire order (WT_TABLE). Everything else — size, encoding, decoding, text,
// comparing, random values — is an ordinary function that walks the table with the struct's address;
// such a walker is compiled once, whatever the number of messages. Nothing in this file knows
// a wire format.
//
// The C++ type of a member decides the field's type:
//   bool, int8/16/32/64, uint16/32, double, Uuid, std::string, Slice (bytes), SliceList (records),
//   a 16-bit enum (an int16), a struct with a kTable (nested), std::vector of these (array), and
//   std::optional around any of them for fields that can be null in some version.
// The default of a field is what a default-constructed struct holds, so it is written only once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/formats/slice.h"
#include "sim/formats/uuid.h"

namespace wt::schema {

enum class FieldType : std::uint8_t {
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint16,
  kUint32,
  kFloat64,
  kUuid,
  kString,
  kBytes,
  kRecords,
  kStruct,
};

using Version = std::int16_t;
inline constexpr Version kLastVersion = 32767;

// Versions first…last; empty when first > last.
struct VersionRange {
  Version first = 1;
  Version last = 0;
  constexpr bool contains(Version version) const { return version >= first && version <= last; }
  constexpr bool empty() const { return first > last; }
  friend constexpr bool operator==(const VersionRange&, const VersionRange&) = default;
};
constexpr VersionRange since(Version first) {
  return {first, kLastVersion};
}
constexpr VersionRange between(Version first, Version last) {
  return {first, last};
}

// A tagged field of a later version, kept as it came.
struct UnknownTag {
  std::uint32_t tag = 0;
  Slice bytes;
  friend bool operator==(const UnknownTag&, const UnknownTag&) = default;
};
using UnknownTags = std::vector<UnknownTag>;

// How a walker reaches into a std::vector or std::optional member without knowing its type.
struct ArrayOps {
  std::size_t stride_bytes;
  std::size_t (*size)(const void* array);
  void (*resize)(void* array, std::size_t size);
  void* (*data)(void* array);
};
struct OptionalOps {
  void* (*get)(void* optional);  // null when empty
  void* (*emplace)(void* optional);
  void (*reset)(void* optional);
};

struct Table;

enum class Hint : std::uint8_t { kNone, kErrorCode };

struct Field {
  const char* name = "";  // lower_snake, as the member
  FieldType type = FieldType::kBool;
  Hint hint = Hint::kNone;
  bool is_ignorable = false;  // may be dropped silently where a version lacks it
  bool is_classic = false;    // never in compact form (client id)
  std::int16_t tag = -1;      // >= 0: tagged in the versions below
  std::uint16_t offset = 0;
  VersionRange versions = since(0);
  VersionRange nullable;
  VersionRange tagged;
  const ArrayOps* array = nullptr;
  const OptionalOps* optional = nullptr;
  const Table* element = nullptr;  // of structs

  // Builders, for WT_TABLE.
  constexpr Field in(VersionRange range) const {
    Field field = *this;
    field.versions = range;
    return field;
  }
  constexpr Field or_null(VersionRange range = since(0)) const {
    Field field = *this;
    field.nullable = range;
    return field;
  }
  constexpr Field ignorable() const {
    Field field = *this;
    field.is_ignorable = true;
    return field;
  }
  constexpr Field classic() const {
    Field field = *this;
    field.is_classic = true;
    return field;
  }
  // Tagged wherever it exists, or from `first` on.
  constexpr Field tagged_as(std::int16_t number) const { return tagged_as(number, versions.first); }
  constexpr Field tagged_as(std::int16_t number, Version first) const {
    Field field = *this;
    field.tag = number;
    field.tagged = since(first);
    return field;
  }
  constexpr bool is_tagged(Version version) const { return tag >= 0 && tagged.contains(version); }
};

struct Table {
  const char* name;
  const Field* fields;
  std::size_t field_count;
  std::uint16_t unknown_tags_offset;
  const void* (*defaults)();  // the default-constructed struct
  void* (*create)();
  void (*destroy)(void* object);
  VersionRange versions;  // top-level messages: what can be read and written
  VersionRange flexible;  // top-level messages: compact and tagged forms

  std::span<const Field> all() const { return {fields, field_count}; }
};

// A field's value inside `object`; null when the optional member is empty.
inline const void* value_of(const Field& field, const void* object) {
  const auto* member = static_cast<const std::uint8_t*>(object) + field.offset;
  if (field.optional == nullptr) return member;
  return field.optional->get(const_cast<std::uint8_t*>(member));
}
// The member itself.
inline void* member_of(const Field& field, void* object) {
  return static_cast<std::uint8_t*>(object) + field.offset;
}
template <class T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}
template <class T>
T& as(void* value) {
  return *static_cast<T*>(value);
}
// 16-bit members may be enums, which an int16_t reference must not alias.
inline std::uint16_t load_16(const void* value) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, value, sizeof bits);
  return bits;
}
inline void store_16(void* value, std::uint16_t bits) {
  std::memcpy(value, &bits, sizeof bits);
}
inline const UnknownTags& unknown_tags_of(const Table& table, const void* object) {
  return as<UnknownTags>(static_cast<const std::uint8_t*>(object) + table.unknown_tags_offset);
}
inline UnknownTags& unknown_tags_of(const Table& table, void* object) {
  return as<UnknownTags>(static_cast<std::uint8_t*>(object) + table.unknown_tags_offset);
}

// The elements of an array value, or the one value of a plain field.
struct Elements {
  const std::uint8_t* first = nullptr;
  std::size_t count = 0;
  std::size_t stride_bytes = 0;
  const void* operator[](std::size_t i) const { return first + i * stride_bytes; }
};
inline Elements elements_of(const Field& field, const void* value) {
  return {static_cast<const std::uint8_t*>(field.array->data(const_cast<void*>(value))),
          field.array->size(value), field.array->stride_bytes};
}

// Where a walker is, linked through its own stack frames: costs nothing until an error names it.
struct Path {
  const Path* parent = nullptr;
  const Field* field = nullptr;
  std::ptrdiff_t index = -1;
  // "topicData[0].partitionData[2].records"
  std::string text() const;
};

// lower_snake to the lowerCamel names of the protocol documents.
std::string camel_name(std::string_view snake);

// Deep equality of the fields live in `version`; unknown tags count. Records compare by their bytes,
// however they are cut into pieces.
bool equal(const Table& table, const void* a, const void* b, Version version);
// Deep equality of one field.
bool equal_field(const Field& field, const void* object_a, const void* object_b, Version version);
// Deep equality of everything.
inline constexpr Version kEveryVersion = -1;
inline bool is_default(const Table& table, const Field& field, const void* object) {
  return equal_field(field, object, table.defaults(), kEveryVersion);
}

// An owned message of a type known at run time.
class AnyMessage {
 public:
  AnyMessage() = default;
  explicit AnyMessage(const Table& table) : table_(&table), object_(table.create()) {}
  AnyMessage(AnyMessage&& other) noexcept
      : table_(std::exchange(other.table_, nullptr)), object_(std::exchange(other.object_, nullptr)) {}
  AnyMessage& operator=(AnyMessage other) noexcept {
    std::swap(table_, other.table_);
    std::swap(object_, other.object_);
    return *this;
  }
  ~AnyMessage() {
    if (object_ != nullptr) table_->destroy(object_);
  }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  const Table& table() const noexcept { return *table_; }
  void* object() noexcept { return object_; }
  const void* object() const noexcept { return object_; }
  // The message as a T; null when it is another type.
  template <class T>
  T* get() noexcept {
    return table_ == &T::kTable ? static_cast<T*>(object_) : nullptr;
  }
  template <class T>
  const T* get() const noexcept {
    return table_ == &T::kTable ? static_cast<const T*>(object_) : nullptr;
  }

 private:
  const Table* table_ = nullptr;
  void* object_ = nullptr;
};

}  // namespace wt::schema

#include "sim/kafka/wire/schema_build.h"
