#include "sim/stream/wal_object.h"

#include "absl/container/inlined_vector.h"
#include "sim/formats/batch_header.h"
#include "sim/formats/byte_reader.h"
#include "sim/formats/crc32c.h"

namespace wt::stream {
namespace {

using formats::Entry;
using formats::EntryHeader;
using formats::PayloadKind;

constexpr std::uint32_t kMagic = 0x57545731;  // "WTW1"
constexpr std::uint16_t kVersion = 1;
constexpr std::size_t kHeader_bytes = 4 + 2 + 2 + 4 + 8;
constexpr std::size_t kMinPart_bytes = 10;
constexpr std::size_t kMinIndexEntry_bytes = 19;
constexpr std::size_t kFooter_bytes = 8;
// Kind, format and flags share a byte: 0..0 control transactional format format kind.
constexpr std::uint8_t kFormatShift = 1;
constexpr std::uint8_t kTransactionalFlag = 8;
constexpr std::uint8_t kControlFlag = 16;

// What the entry index holds to prove a payload, given that the payload's own checksum holds.
std::uint32_t payload_check(const Entry& entry) {
  if (entry.header.kind != PayloadKind::kKafkaBatch) return entry.header.crc;
  const auto bytes = entry.payload.bytes();
  return formats::crc32c(bytes.first(std::min<std::size_t>(bytes.size(), formats::kBatchAttributesAt)));
}

bool payload_proved(const Entry& entry, std::uint32_t check) {
  const auto bytes = entry.payload.bytes();
  if (entry.header.kind != PayloadKind::kKafkaBatch) return formats::crc32c(bytes) == check;
  if (bytes.size() < formats::kBatchHeader_bytes || payload_check(entry) != check) return false;
  ByteReader own(bytes.subspan(formats::kBatchCrcAt, 4));
  return own.u32() == formats::crc32c(bytes.subspan(formats::kBatchAttributesAt));
}

void write_index_entry(ByteWriter& out, const Entry& entry) {
  const EntryHeader& header = entry.header;
  out.varlong(static_cast<std::int64_t>(entry.payload.size()));
  out.u32(payload_check(entry));
  out.u8(static_cast<std::uint8_t>(
      static_cast<unsigned>(header.kind) | static_cast<unsigned>(header.format) << kFormatShift |
      (header.transactional ? kTransactionalFlag : 0u) | (header.control ? kControlFlag : 0u)));
  out.varint(header.leader_epoch);
  out.varlong(header.append_time_ms);
  out.varint(header.record_count);
  out.varint(header.pulsar_ordinal_count);
  out.varlong(header.max_timestamp);
  out.u32(header.crc);
  out.varlong(header.producer_id);
  out.i16(header.producer_epoch);
  out.varint(header.base_sequence);
}

struct IndexEntry {
  EntryHeader header;
  std::uint64_t size_bytes = 0;
  std::uint32_t check = 0;
  bool good = false;
};

IndexEntry read_index_entry(ByteReader& in) {
  IndexEntry entry;
  EntryHeader& header = entry.header;
  const std::int64_t size_bytes = in.varlong();
  entry.size_bytes = static_cast<std::uint64_t>(size_bytes);
  entry.check = in.u32();
  const std::uint8_t packed = in.u8();
  const std::uint8_t format = packed >> kFormatShift & 3;
  header.kind = static_cast<PayloadKind>(packed & 1);
  header.format = static_cast<formats::EntryFormat>(format);
  header.transactional = (packed & kTransactionalFlag) != 0;
  header.control = (packed & kControlFlag) != 0;
  header.leader_epoch = in.varint();
  header.append_time_ms = in.varlong();
  header.record_count = in.varint();
  header.pulsar_ordinal_count = in.varint();
  header.max_timestamp = in.varlong();
  header.crc = in.u32();
  header.producer_id = in.varlong();
  header.producer_epoch = in.i16();
  header.base_sequence = in.varint();
  entry.good = in.ok() && size_bytes >= 0 && format <= 2 && packed < 32 && header.record_count > 0 &&
               header.pulsar_ordinal_count >= 0;
  return entry;
}

// Bytes of a gathered object; shared when they lie in one slice, which payloads do.
Slice range_of(const SliceList& object, std::uint64_t offset, std::uint64_t size_bytes) {
  std::uint64_t skip = offset;
  for (std::size_t i = 0; i < object.size(); ++i) {
    if (skip >= object[i].size()) {
      skip -= object[i].size();
      continue;
    }
    if (object[i].size() - skip >= size_bytes) return object[i].sub(skip, size_bytes);
    SliceList pieces;
    for (std::uint64_t left = size_bytes; i < object.size() && left > 0; ++i) {
      const std::uint64_t take = std::min<std::uint64_t>(left, object[i].size() - skip);
      pieces.push_back(object[i].sub(skip, take));
      left -= take;
      skip = 0;
    }
    return flatten(pieces);
  }
  return {};
}

Status damaged(const char* what) {
  return make_status(StatusCode::kDataLoss, std::string("WAL object: ") + what);
}

}  // namespace

// One buffer holds index, footer and front (header and directory), in this order: the directory has the
// checksums of the index, and a payload's place follows from the sizes before it.
WalObject encode_wal(const std::vector<WalSlice>& slices, ByteWriter& scratch) {
  ByteWriter& out = scratch;
  out.clear();
  WalObject object;
  struct Part {
    std::uint64_t payload_bytes = 0;
    std::size_t index_bytes = 0;
    std::uint32_t index_crc = 0;
  };
  absl::InlinedVector<Part, 1> parts;
  std::size_t entries = 0;
  for (const WalSlice& slice : slices) {
    Part part;
    const std::size_t begin = out.size();
    for (const Entry& entry : *slice.entries) {
      write_index_entry(out, entry);
      part.payload_bytes += entry.payload.size();
    }
    part.index_bytes = out.size() - begin;
    part.index_crc = formats::crc32c(out.view().subspan(begin));
    entries += slice.entries->size();
    object.size_bytes += part.payload_bytes;
    parts.push_back(part);
  }
  const std::size_t index_bytes = out.size();
  out.u32(0);  // checksum, known at the end
  out.u32(kMagic);
  const std::size_t front_at = out.size();
  out.u32(kMagic);
  out.u16(kVersion);
  out.u16(static_cast<std::uint16_t>(slices.size()));
  out.u32(0);  // size of the front
  out.u64(0);  // size of the object
  for (std::size_t i = 0; i < slices.size(); ++i) {
    out.unsigned_varint(slices[i].attempt.stream);
    out.unsigned_varint(slices[i].attempt.session_epoch);
    out.varlong(static_cast<std::int64_t>(slices[i].attempt.sequence));
    out.unsigned_varint(static_cast<std::uint32_t>(slices[i].entries->size()));
    out.varlong(static_cast<std::int64_t>(parts[i].payload_bytes));
    out.unsigned_varint(static_cast<std::uint32_t>(parts[i].index_bytes));
    out.u32(parts[i].index_crc);
  }
  const std::size_t front_bytes = out.size() - front_at;
  object.size_bytes += out.size();
  out.patch_i32(front_at + 8, static_cast<std::int32_t>(front_bytes));
  out.patch_i32(front_at + 12, static_cast<std::int32_t>(object.size_bytes >> 32));
  out.patch_i32(front_at + 16, static_cast<std::int32_t>(object.size_bytes));
  object.checksum =
      formats::crc32c_extend(formats::crc32c(out.view().subspan(front_at)), out.view().first(index_bytes));
  out.patch_i32(index_bytes, static_cast<std::int32_t>(object.checksum));

  const Slice structure = out.to_slice();
  object.bytes.reserve(entries + 2);
  object.bytes.push_back(structure.from(front_at));
  for (const WalSlice& slice : slices) {
    for (const Entry& entry : *slice.entries) {
      if (!entry.payload.empty()) object.bytes.push_back(entry.payload);
    }
  }
  object.bytes.push_back(structure.sub(0, front_at));
  return object;
}

StatusOr<WalDirectory> decode_wal_directory(const SliceList& object) {
  const std::uint64_t size_bytes = total_size(object);
  if (size_bytes < kHeader_bytes + kFooter_bytes) return damaged("too short");
  const Slice head = range_of(object, 0, kHeader_bytes);
  ByteReader header(head.bytes());
  const bool right = header.u32() == kMagic && header.u16() == kVersion;
  const std::size_t parts = header.u16();
  const std::uint64_t front_bytes = header.u32();
  if (!right || header.u64() != size_bytes) return damaged("not one, or cut");
  const bool fits =
      front_bytes >= kHeader_bytes + parts * kMinPart_bytes && front_bytes <= size_bytes - kFooter_bytes;
  if (!fits) return damaged("directory cut");
  const Slice front = range_of(object, 0, front_bytes);
  ByteReader in(front.from(kHeader_bytes).bytes());

  WalDirectory directory;
  directory.parts.reserve(parts);
  std::uint64_t payload_end = front_bytes;
  for (std::size_t i = 0; i < parts; ++i) {
    WalDirectory::Part part;
    part.attempt.stream = in.unsigned_varint();
    part.attempt.session_epoch = in.unsigned_varint();
    part.attempt.sequence = static_cast<std::uint64_t>(in.varlong());
    part.entry_count = in.unsigned_varint();
    part.payload_bytes = static_cast<std::uint64_t>(in.varlong());
    part.index_bytes = in.unsigned_varint();
    part.index_crc = in.u32();
    part.payload_offset = payload_end;
    if (!in.ok() || part.payload_bytes > size_bytes - payload_end) return damaged("payload out of place");
    payload_end += part.payload_bytes;
    directory.parts.push_back(part);
  }
  if (in.remaining() != 0) return damaged("directory with a rest");
  std::uint64_t index_end = payload_end;
  for (WalDirectory::Part& part : directory.parts) {
    part.index_offset = index_end;
    const bool placed = part.index_bytes <= size_bytes - index_end &&
                        part.entry_count <= part.index_bytes / kMinIndexEntry_bytes;
    if (!placed) return damaged("index out of place");
    index_end += part.index_bytes;
  }
  if (size_bytes - index_end != kFooter_bytes) return damaged("index out of place");
  const Slice back = range_of(object, payload_end, size_bytes - payload_end);
  ByteReader footer(back.from(back.size() - kFooter_bytes).bytes());
  directory.checksum = footer.u32();
  const std::uint32_t crc =
      formats::crc32c_extend(formats::crc32c(front.bytes()), back.bytes().first(back.size() - kFooter_bytes));
  if (footer.u32() != kMagic || crc != directory.checksum) return damaged("checksum");
  return directory;
}

StatusOr<std::vector<Entry>> decode_wal_slice(const SliceList& object, std::uint32_t slice,
                                              const AppendAttemptId& attempt) {
  StatusOr<WalDirectory> directory = decode_wal_directory(object);
  if (!directory.ok()) return directory.status();
  if (slice >= directory->parts.size()) return damaged("no such slice");
  const WalDirectory::Part& part = directory->parts[slice];
  if (part.attempt != attempt) return damaged("slice of another append");
  const Slice index = range_of(object, part.index_offset, part.index_bytes);
  if (formats::crc32c(index.bytes()) != part.index_crc) return damaged("index checksum");
  ByteReader in(index.bytes());
  std::vector<Entry> entries;
  entries.reserve(part.entry_count);
  std::uint64_t at = part.payload_offset;
  std::int64_t relative = 0;
  for (std::uint32_t i = 0; i < part.entry_count; ++i) {
    const IndexEntry found = read_index_entry(in);
    const bool placed = found.good && found.size_bytes <= part.payload_offset + part.payload_bytes - at;
    if (!placed) return damaged("entry out of place");
    Entry entry;
    entry.header = found.header;
    entry.header.base_offset = relative;
    entry.payload = range_of(object, at, found.size_bytes);
    if (!payload_proved(entry, found.check)) return damaged("payload checksum");
    at += found.size_bytes;
    relative += found.header.record_count;
    entries.push_back(std::move(entry));
  }
  if (at != part.payload_offset + part.payload_bytes || in.remaining() != 0)
    return damaged("payload without entry");
  return entries;
}

}  // namespace wt::stream
