#include "sim/kafka/wire/schema_random.h"

namespace wt::schema {
namespace {

class RandomWalker {
 public:
  RandomWalker(Version version, bool flexible, std::uint64_t seed, const RandomOptions& options)
      : version_(version), flexible_(flexible), state_(seed), options_(options) {}

  void fill(const Table& table, void* object) {
    for (const Field& field : table.all()) {
      if (field.versions.contains(version_)) fill_field(field, object);
    }
    if (!flexible_ || options_.unknown_tag_one_in == 0) return;
    if (below(static_cast<std::uint64_t>(options_.unknown_tag_one_in)) != 0) return;
    UnknownTags& tags = unknown_tags_of(table, object);
    std::uint32_t tag = 100;
    for (std::uint64_t count = 1 + below(2); count > 0; --count) {
      tag += 1 + static_cast<std::uint32_t>(below(300));
      tags.push_back({tag, bytes(static_cast<std::size_t>(below(6)))});
    }
  }

 private:
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }

  // Small, extreme and arbitrary values, a third each.
  std::uint64_t integer() {
    constexpr std::uint64_t kEdges[] = {0,
                                        1,
                                        0xFFFFFFFFFFFFFFFFULL,
                                        0x7F,
                                        0x80,
                                        0x7FFF,
                                        0x8000,
                                        0x7FFFFFFF,
                                        0x80000000ULL,
                                        0x7FFFFFFFFFFFFFFFULL,
                                        0x8000000000000000ULL};
    const std::uint64_t kind = below(3);
    if (kind == 0) return below(100);
    if (kind == 1) return kEdges[below(std::size(kEdges))];
    return next();
  }
  std::string text() {
    constexpr std::string_view kPieces[] = {"a", "Z",  "0",  "-",  "_",        ".",
                                            " ", "\"", "\\", "\n", "\xC3\xA9", "\xE2\x82\xAC"};
    std::string value;
    const std::uint64_t length = below(static_cast<std::uint64_t>(options_.max_string_bytes) + 1);
    while (value.size() < length) value += kPieces[below(std::size(kPieces))];
    return value;
  }
  Slice bytes(std::size_t size_bytes) {
    std::vector<std::uint8_t> value(size_bytes);
    for (std::uint8_t& byte : value) byte = static_cast<std::uint8_t>(next());
    return Slice::copy_of(value);
  }

  void fill_field(const Field& field, void* object) {
    void* value = member_of(field, object);
    if (field.optional != nullptr) {
      if (field.nullable.contains(version_) && below(4) == 0) return field.optional->reset(value);
      value = field.optional->emplace(value);
    }
    if (field.array == nullptr) return fill_value(field, value);
    field.array->resize(value, 0);
    field.array->resize(value, below(static_cast<std::uint64_t>(options_.max_elements) + 1));
    const Elements elements = elements_of(field, value);
    for (std::size_t i = 0; i < elements.count; ++i) fill_value(field, const_cast<void*>(elements[i]));
  }

  void fill_value(const Field& field, void* value) {
    switch (field.type) {
      case FieldType::kBool:
        as<bool>(value) = below(2) == 1;
        return;
      case FieldType::kInt8:
        as<std::uint8_t>(value) = static_cast<std::uint8_t>(integer());
        return;
      case FieldType::kInt16:
        return store_16(
            value, static_cast<std::uint16_t>(field.hint == Hint::kErrorCode ? below(138) - 1 : integer()));
      case FieldType::kUint16:
        as<std::uint16_t>(value) = static_cast<std::uint16_t>(integer());
        return;
      case FieldType::kInt32:
      case FieldType::kUint32:
        as<std::uint32_t>(value) = static_cast<std::uint32_t>(integer());
        return;
      case FieldType::kInt64:
        as<std::uint64_t>(value) = integer();
        return;
      case FieldType::kFloat64:
        as<double>(value) = static_cast<double>(static_cast<std::int32_t>(integer())) / 4;
        return;
      case FieldType::kUuid:
        as<Uuid>(value) = uuid();
        return;
      case FieldType::kString:
        as<std::string>(value) = text();
        return;
      case FieldType::kBytes:
        as<Slice>(value) = bytes(below(16));
        return;
      case FieldType::kRecords:
        as<SliceList>(value) = records();
        return;
      case FieldType::kStruct:
        return fill(*field.element, value);
    }
  }
  Uuid uuid() {
    const std::uint64_t high = next();
    const std::uint64_t low = next();
    return Uuid::from_halves(high, low);
  }
  SliceList records() {
    SliceList pieces;
    for (std::uint64_t count = below(3); count > 0; --count) {
      pieces.push_back(bytes(below(static_cast<std::uint64_t>(options_.max_records_bytes) / 2 + 1)));
    }
    return pieces;
  }

  Version version_;
  bool flexible_;
  std::uint64_t state_;
  const RandomOptions& options_;
};

}  // namespace

void randomize(const Table& table, void* object, Version version, bool flexible, std::uint64_t seed,
               const RandomOptions& options) {
  RandomWalker(version, flexible, seed, options).fill(table, object);
}

}  // namespace wt::schema
