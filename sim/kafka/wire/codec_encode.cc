// The second pass of encoding: into one block of the exact size, with records left in their slices.
#include <cassert>

#include "absl/strings/str_cat.h"
#include "sim/kafka/wire/codec.h"
#include "sim/kafka/wire/codec_measure.h"

namespace wt::kafka {

using schema::as;
using schema::Field;
using schema::FieldType;

namespace {

// Writes without bounds checks: Measure has counted every byte and refused what cannot be written.
class Writer {
 public:
  Writer(std::size_t block_bytes, std::size_t inline_below_bytes)
      : block_(Block::create(block_bytes)),
        at_(block_->data()),
        cut_(at_),
        end_(at_ + block_bytes),
        inline_below_bytes_(inline_below_bytes) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() { block_->unref(); }

  void i32(std::int32_t value) { integer<4>(static_cast<std::uint32_t>(value)); }
  void put(const Part& part) {
    version_ = part.version;
    flexible_ = part.flexible;
    put(*part.table, part.object);
  }
  SliceList finish() {
    assert(at_ == end_);
    cut();
    return std::move(out_);
  }

 private:
  void put(const Table& table, const void* object);
  void put_tags(const Table& table, const void* object);
  void put_field(const Field& field, const void* object);
  void put_value(const Field& field, const void* value);
  void put_records(const SliceList& records);
  void put_null(const Field& field);
  void put_length(const Field& field, std::size_t length, bool short_length) {
    if (flexible_ && !field.is_classic) {
      varint(length + 1);
    } else if (short_length) {
      integer<2>(length);
    } else {
      integer<4>(length);
    }
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *at_++ = static_cast<std::uint8_t>(value | 0x80);
    *at_++ = static_cast<std::uint8_t>(value);
  }
  template <int kBytes>
  void integer(std::uint64_t value) {
    for (int i = 0; i < kBytes; ++i) at_[i] = static_cast<std::uint8_t>(value >> (8 * (kBytes - 1 - i)));
    at_ += kBytes;
  }
  void raw(const void* data, std::size_t size_bytes) {
    if (size_bytes != 0) std::memcpy(at_, data, size_bytes);
    at_ += size_bytes;
  }
  // Ends the current piece of the block.
  void cut() {
    if (at_ != cut_) out_.emplace_back(block_, cut_, static_cast<std::size_t>(at_ - cut_));
    cut_ = at_;
  }

  Block* block_;
  std::uint8_t* at_;
  std::uint8_t* cut_;
  std::uint8_t* end_;
  std::size_t inline_below_bytes_;
  Version version_ = 0;
  bool flexible_ = false;
  bool in_tag_ = false;
  SliceList out_;
};

void Writer::put(const Table& table, const void* object) {
  bool has_tagged = false;
  for (const Field& field : table.all()) {
    if (!field.versions.contains(version_)) continue;
    if (field.is_tagged(version_)) {
      has_tagged = true;
    } else {
      put_field(field, object);
    }
  }
  if (!flexible_) return;
  if (!has_tagged && schema::unknown_tags_of(table, object).empty()) return varint(0);
  put_tags(table, object);
}

void Writer::put_tags(const Table& table, const void* object) {
  const schema::UnknownTags& unknown = schema::unknown_tags_of(table, object);
  std::size_t count = unknown.size();
  for (const Field& field : table.all()) {
    if (field.versions.contains(version_) && field.is_tagged(version_) &&
        !schema::is_default(table, field, object))
      ++count;
  }
  varint(count);
  auto next_unknown = unknown.begin();
  const auto put_unknown_below = [&](std::int64_t limit) {
    for (; next_unknown != unknown.end() && next_unknown->tag < limit; ++next_unknown) {
      varint(next_unknown->tag);
      varint(next_unknown->bytes.size());
      raw(next_unknown->bytes.data(), next_unknown->bytes.size());
    }
  };
  for (const Field& field : table.all()) {
    if (!field.versions.contains(version_) || !field.is_tagged(version_)) continue;
    if (schema::is_default(table, field, object)) continue;
    put_unknown_below(field.tag);
    Measure inside(version_, flexible_, static_cast<std::size_t>(-1));
    inside.add_field(field, object, nullptr);
    varint(static_cast<std::uint32_t>(field.tag));
    varint(inside.total_bytes());
    const bool was_in_tag = std::exchange(in_tag_, true);
    put_field(field, object);
    in_tag_ = was_in_tag;
  }
  put_unknown_below(std::int64_t{1} << 40);
}

void Writer::put_null(const Field& field) {
  // A struct: -1, but 0 in a tagged field.
  if (field.array == nullptr && field.type == FieldType::kStruct) {
    return integer<1>(field.is_tagged(version_) ? 0 : 0xFF);
  }
  if (flexible_ && !field.is_classic) return varint(0);
  if (field.array == nullptr && field.type == FieldType::kString) return integer<2>(0xFFFF);
  integer<4>(0xFFFFFFFF);
}

void Writer::put_field(const Field& field, const void* object) {
  const void* value = schema::value_of(field, object);
  if (value == nullptr) return put_null(field);
  if (field.array == nullptr) {
    if (field.type == FieldType::kStruct && field.nullable.contains(version_)) integer<1>(1);
    return put_value(field, value);
  }
  const schema::Elements elements = schema::elements_of(field, value);
  put_length(field, elements.count, false);
  for (std::size_t i = 0; i < elements.count; ++i) put_value(field, elements[i]);
}

void Writer::put_records(const SliceList& records) {
  const std::size_t size_bytes = total_size(records);
  if (in_tag_ || is_inlined(size_bytes, inline_below_bytes_)) {
    for (const Slice& piece : records) raw(piece.data(), piece.size());
    return;
  }
  cut();
  for (const Slice& piece : records) {
    if (!piece.empty()) out_.push_back(piece);
  }
}

void Writer::put_value(const Field& field, const void* value) {
  switch (field.type) {
    case FieldType::kBool:
      return integer<1>(as<bool>(value) ? 1 : 0);
    case FieldType::kInt8:
      return integer<1>(as<std::uint8_t>(value));
    case FieldType::kInt16:
    case FieldType::kUint16:
      return integer<2>(schema::load_16(value));
    case FieldType::kInt32:
    case FieldType::kUint32:
      return integer<4>(as<std::uint32_t>(value));
    case FieldType::kInt64:
      return integer<8>(as<std::uint64_t>(value));
    case FieldType::kFloat64:
      return integer<8>(std::bit_cast<std::uint64_t>(as<double>(value)));
    case FieldType::kUuid:
      return raw(as<Uuid>(value).bytes.data(), 16);
    case FieldType::kString: {
      const auto& text = as<std::string>(value);
      put_length(field, text.size(), true);
      return raw(text.data(), text.size());
    }
    case FieldType::kBytes: {
      const auto& bytes = as<Slice>(value);
      put_length(field, bytes.size(), false);
      return raw(bytes.data(), bytes.size());
    }
    case FieldType::kRecords:
      put_length(field, total_size(as<SliceList>(value)), false);
      return put_records(as<SliceList>(value));
    case FieldType::kStruct:
      return put(*field.element, value);
  }
}

struct Measured {
  std::size_t total_bytes = 0;
  std::size_t apart_bytes = 0;
};

absl::StatusOr<Measured> measure(std::span<const Part> parts, std::size_t inline_below_bytes) {
  Measured sum;
  for (const Part& part : parts) {
    Measure one(part.version, part.flexible, inline_below_bytes);
    const schema::Path root;
    if (!one.add(*part.table, part.object, &root)) {
      return absl::InvalidArgumentError(absl::StrCat(part.table->name, ": ", one.status().message()));
    }
    sum.total_bytes += one.total_bytes();
    sum.apart_bytes += one.apart_bytes();
  }
  if (sum.total_bytes > 0x7FFFFFFF) return absl::ResourceExhaustedError("frame over 2 GiB");
  return sum;
}

}  // namespace

absl::StatusOr<SliceList> encode_parts(std::span<const Part> parts, const EncodeOptions& options) {
  const auto size = measure(parts, options.inline_below_bytes);
  if (!size.ok()) return size.status();
  const std::size_t prefix_bytes = options.length_prefix ? 4 : 0;
  Writer writer(prefix_bytes + size->total_bytes - size->apart_bytes, options.inline_below_bytes);
  if (options.length_prefix) writer.i32(static_cast<std::int32_t>(size->total_bytes));
  for (const Part& part : parts) writer.put(part);
  return writer.finish();
}

absl::StatusOr<std::size_t> encoded_size(std::span<const Part> parts) {
  const auto size = measure(parts, 0);
  if (!size.ok()) return size.status();
  return size->total_bytes;
}

absl::StatusOr<SliceList> encode_any(const Table& table, const void* object, Version version,
                                     const EncodeOptions& options) {
  if (!table.versions.contains(version)) {
    return absl::InvalidArgumentError(absl::StrCat(table.name, " has no version ", version));
  }
  const Part part{&table, object, version, table.flexible.contains(version)};
  return encode_parts({&part, 1}, options);
}

}  // namespace wt::kafka
