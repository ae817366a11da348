// Kafka's binary form of messages: encode, measure, decode.
//
// The functions walk a message's field table (schema.h). What Kafka's form prescribes:
// - A field is on the wire in the versions of its table entry. Elsewhere its value must be the
//   default or the field ignorable, or encoding fails; decoding leaves the default.
// - From a message's first flexible version on, lengths are unsigned varints of length + 1 (0 is
//   null), and each struct ends with a section of tagged fields. Only values that differ from the
//   default are sent there, in ascending order of tags; tags this code does not know are kept.
// - Null is accepted and produced only in the versions where the table allows it.
//
// Decoded strings are copies; bytes, records and unknown tags are sub-slices of the frame and keep
// its block alive (Slice::compact() unties the small ones). Encoded records are not copied: they
// appear as slices of their own in the result.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/formats/slice.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

using schema::AnyMessage;
using schema::Table;
using schema::UnknownTags;
using schema::Version;

struct EncodeOptions {
  // Put the four-byte length of everything in front.
  bool length_prefix = false;
  // Records shorter than this are copied next to their neighbours, which saves pieces to send.
  std::size_t inline_below_bytes = 0;
};

// One of the messages that follow each other in a frame: a header, a body.
struct Part {
  const Table* table;
  const void* object;
  Version version;
  bool flexible;
};

// The parts as one frame. Fails (InvalidArgument naming the field) when a value cannot be said in its
// version.
absl::StatusOr<SliceList> encode_parts(std::span<const Part> parts, const EncodeOptions& options = {});
absl::StatusOr<std::size_t> encoded_size(std::span<const Part> parts);

// How much to forgive. Apache Kafka reads requests more loosely than it writes them, and accepts what kStrict
// refuses: any negative length as null, tags that repeat or descend (the last one counts), known tagged
// fields of another size than announced, bytes behind the last field.
enum class Strictness : std::uint8_t { kStrict, kLikeBroker };

struct DecodeLimits {
  // Array elements are refused when the remaining bytes cannot hold them; this bounds their memory too.
  std::size_t max_memory_bytes = 256UL << 20;
  Strictness strictness = Strictness::kStrict;
  // Bytes after the last field are an error, unless they are wanted for the next part.
  bool allow_trailing_bytes = false;
};

// Reads `bytes` into the freshly default-constructed struct at `object`. Returns how many bytes it took.
// On error the struct holds some of the fields; throw it away.
absl::StatusOr<std::size_t> decode_into(const Table& table, void* object, Version version, bool flexible,
                                        const Slice& bytes, const DecodeLimits& limits = {});

// Whole messages, whose tables know their versions.
absl::StatusOr<AnyMessage> decode_any(const Table& table, const Slice& bytes, Version version,
                                      const DecodeLimits& limits = {});
absl::StatusOr<SliceList> encode_any(const Table& table, const void* object, Version version,
                                     const EncodeOptions& options = {});

template <class T>
absl::StatusOr<T> decode(const Slice& bytes, Version version, const DecodeLimits& limits = {}) {
  T message{};
  const auto taken =
      decode_into(T::kTable, &message, version, T::kTable.flexible.contains(version), bytes, limits);
  if (!taken.ok()) return taken.status();
  return message;
}
template <class T>
absl::StatusOr<SliceList> encode(const T& message, Version version, const EncodeOptions& options = {}) {
  return encode_any(T::kTable, &message, version, options);
}

}  // namespace wt::kafka
