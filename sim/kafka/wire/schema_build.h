// From a C++ member to its Field: the compile-time half of schema.h. Include that instead.
#pragma once

#include <iterator>

namespace wt::schema::build {

template <class T>
struct OptionalOf {
  using Value = T;
  static constexpr const OptionalOps* kOps = nullptr;
};
template <class T>
struct OptionalOf<std::optional<T>> {
  using Value = T;
  static constexpr OptionalOps kTable{
      [](void* optional) -> void* {
        auto& value = *static_cast<std::optional<T>*>(optional);
        return value ? static_cast<void*>(&*value) : nullptr;
      },
      [](void* optional) -> void* { return &static_cast<std::optional<T>*>(optional)->emplace(); },
      [](void* optional) { static_cast<std::optional<T>*>(optional)->reset(); },
  };
  static constexpr const OptionalOps* kOps = &kTable;
};

template <class T>
struct ArrayOf {
  using Element = T;
  static constexpr const ArrayOps* kOps = nullptr;
};
template <class T>
struct ArrayOf<std::vector<T>> {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no addressable elements");
  using Element = T;
  static constexpr ArrayOps kTable{
      sizeof(T),
      [](const void* array) { return static_cast<const std::vector<T>*>(array)->size(); },
      [](void* array, std::size_t size) { static_cast<std::vector<T>*>(array)->resize(size); },
      [](void* array) -> void* { return static_cast<std::vector<T>*>(array)->data(); },
  };
  static constexpr const ArrayOps* kOps = &kTable;
};
template <>
struct ArrayOf<SliceList> {  // one field of bytes in pieces, not an array
  using Element = SliceList;
  static constexpr const ArrayOps* kOps = nullptr;
};

template <class T>
constexpr FieldType type_of() {
  if constexpr (std::is_same_v<T, bool>)
    return FieldType::kBool;
  else if constexpr (std::is_same_v<T, std::int8_t>)
    return FieldType::kInt8;
  else if constexpr (std::is_same_v<T, std::int16_t>)
    return FieldType::kInt16;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return FieldType::kInt32;
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return FieldType::kInt64;
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return FieldType::kUint16;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return FieldType::kUint32;
  else if constexpr (std::is_same_v<T, double>)
    return FieldType::kFloat64;
  else if constexpr (std::is_same_v<T, Uuid>)
    return FieldType::kUuid;
  else if constexpr (std::is_same_v<T, std::string>)
    return FieldType::kString;
  else if constexpr (std::is_same_v<T, Slice>)
    return FieldType::kBytes;
  else if constexpr (std::is_same_v<T, SliceList>)
    return FieldType::kRecords;
  else if constexpr (std::is_enum_v<T>)
    return FieldType::kInt16;
  else
    return FieldType::kStruct;
}

template <class Member>
constexpr Field field(const char* name, std::size_t offset) {
  using Value = typename OptionalOf<Member>::Value;
  using Element = typename ArrayOf<Value>::Element;
  Field field;
  field.name = name;
  field.type = type_of<Element>();
  field.offset = static_cast<std::uint16_t>(offset);
  field.optional = OptionalOf<Member>::kOps;
  field.array = ArrayOf<Value>::kOps;
  if constexpr (type_of<Element>() == FieldType::kStruct) field.element = &Element::kTable;
  if constexpr (std::is_enum_v<Element>) {
    static_assert(std::is_same_v<std::underlying_type_t<Element>, std::int16_t>);
    field.hint = Hint::kErrorCode;
  }
  return field;
}

template <class T>
const void* defaults_of() {
  static const T value{};
  return &value;
}

template <class T>
constexpr Table table(const char* name, const Field* fields, std::size_t count, std::size_t tags_offset,
                      VersionRange versions, VersionRange flexible) {
  return Table{name,
               fields,
               count,
               static_cast<std::uint16_t>(tags_offset),
               &defaults_of<T>,
               []() -> void* { return new T{}; },
               [](void* object) { delete static_cast<T*>(object); },
               versions,
               flexible};
}

}  // namespace wt::schema::build

// Ends a struct that has a table: tagged fields it does not know, and the table.
#define WT_HAS_TABLE                      \
  ::wt::schema::UnknownTags unknown_tags; \
  static const ::wt::schema::Table kTable

// One field in a table: the struct's member of that name.
#define WT_FIELD(member) ::wt::schema::build::field<decltype(Self::member)>(#member, offsetof(Self, member))

#define WT_TABLE_JOIN_(a, b) a##b
#define WT_TABLE_JOIN(a, b) WT_TABLE_JOIN_(a, b)
#define WT_TABLE_NAMED(Fields, Type, versions, flexible, ...)                          \
  namespace {                                                                          \
  struct Fields {                                                                      \
    using Self = Type;                                                                 \
    static constexpr ::wt::schema::Field kFields[] = {__VA_ARGS__};                    \
  };                                                                                   \
  }                                                                                    \
  constinit const ::wt::schema::Table Type::kTable = ::wt::schema::build::table<Type>( \
      #Type, Fields::kFields, std::size(Fields::kFields), offsetof(Type, unknown_tags), versions, flexible)
#define WT_TABLE_IMPL(Type, versions, flexible, ...) \
  WT_TABLE_NAMED(WT_TABLE_JOIN(TableFields, __LINE__), Type, versions, flexible, __VA_ARGS__)

// The table of a nested struct; its versions are those of the message around it.
#define WT_STRUCT(Type, ...) \
  WT_TABLE_IMPL(Type, ::wt::schema::VersionRange{}, ::wt::schema::VersionRange{}, __VA_ARGS__)
// The table of a message: versions(first, last), first flexible version (or kNeverFlexible), fields.
#define WT_MESSAGE(Type, first, last, flexible_since, ...) \
  WT_TABLE_IMPL(Type, ::wt::schema::between(first, last), ::wt::schema::since(flexible_since), __VA_ARGS__)

namespace wt::schema {
// Flexible from a version that no message reaches.
inline constexpr Version kNeverFlexible = kLastVersion;
}  // namespace wt::schema
