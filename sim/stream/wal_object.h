// The object form of the write-ahead log: header, slice directory, payload, entry index, footer.
//
// An object can hold slices of several streams, each one append. Offsets in it are relative: final
// ones are assigned when the head moves. Checksums are layered, so that no payload is hashed again:
//   - every entry's payload proves itself: a Pulsar entry by its header's crc, a Kafka batch by the
//     checksum inside the batch, which was verified when the batch came in; the batch's first bytes,
//     which its own checksum leaves out, are covered by the entry index;
//   - each slice's part of the entry index has a CRC32C in the directory;
//   - the object's checksum covers header, directory and entry index.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/formats/byte_writer.h"
#include "sim/formats/slice.h"
#include "sim/stream/types.h"

namespace wt::stream {

// One append as a part of an object.
struct WalSlice {
  AppendAttemptId attempt;
  const std::vector<formats::Entry>* entries = nullptr;
};

struct WalObject {
  SliceList bytes;  // payloads are shared
  std::uint64_t size_bytes = 0;
  std::uint32_t checksum = 0;
};

// `scratch` is cleared and reused.
WalObject encode_wal(const std::vector<WalSlice>& slices, ByteWriter& scratch);

// The structure of an object, verified; payloads are not.
struct WalDirectory {
  struct Part {
    AppendAttemptId attempt;
    std::uint32_t entry_count = 0;
    std::uint64_t payload_offset = 0;
    std::uint64_t payload_bytes = 0;
    std::uint64_t index_offset = 0;
    std::uint64_t index_bytes = 0;
    std::uint32_t index_crc = 0;
  };
  std::vector<Part> parts;
  std::uint32_t checksum = 0;
};
StatusOr<WalDirectory> decode_wal_directory(const SliceList& object);

// The entries of one slice, verified, with relative base offsets from 0. Payloads share the object's
// memory. DataLoss for damage, also when the slice is of another attempt.
StatusOr<std::vector<formats::Entry>> decode_wal_slice(const SliceList& object, std::uint32_t slice,
                                                       const AppendAttemptId& attempt);

}  // namespace wt::stream
