#include "sim/stream/wal_object.h"

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
constexpr std::size_t kHeader_bytes = 4 + 2 + 2 + 8;
constexpr std::size_t kPart_bytes = 16 + 4 + 4 * 8 + 4;
constexpr std::size_t kIndexEntry_bytes = 8 + 8 + 4 + 4 + 1 + 1 + 2 + 4 + 8 + 4 + 4 + 8 + 4 + 8 + 2 + 4;
constexpr std::size_t kFooter_bytes = 8;
constexpr std::uint16_t kTransactionalFlag = 1;
constexpr std::uint16_t kControlFlag = 2;

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

void write_index_entry(ByteWriter& out, const Entry& entry, std::int64_t relative_offset, std::uint64_t at) {
  const EntryHeader& header = entry.header;
  out.i64(relative_offset);
  out.u64(at);
  out.u32(static_cast<std::uint32_t>(entry.payload.size()));
  out.u32(payload_check(entry));
  out.u8(static_cast<std::uint8_t>(header.kind));
  out.u8(static_cast<std::uint8_t>(header.format));
  out.u16(static_cast<std::uint16_t>((header.transactional ? kTransactionalFlag : 0) |
                                     (header.control ? kControlFlag : 0)));
  out.i32(header.leader_epoch);
  out.i64(header.append_time_ms);
  out.i32(header.record_count);
  out.i32(header.pulsar_ordinal_count);
  out.i64(header.max_timestamp);
  out.u32(header.crc);
  out.i64(header.producer_id);
  out.i16(header.producer_epoch);
  out.i32(header.base_sequence);
}

struct IndexEntry {
  EntryHeader header;
  std::uint64_t at = 0;
  std::uint32_t size_bytes = 0;
  std::uint32_t check = 0;
  bool good = false;
};

IndexEntry read_index_entry(ByteReader& in) {
  IndexEntry entry;
  EntryHeader& header = entry.header;
  header.base_offset = in.i64();
  entry.at = in.u64();
  entry.size_bytes = in.u32();
  entry.check = in.u32();
  const std::uint8_t kind = in.u8();
  const std::uint8_t format = in.u8();
  const std::uint16_t flags = in.u16();
  header.kind = static_cast<PayloadKind>(kind);
  header.format = static_cast<formats::EntryFormat>(format);
  header.transactional = (flags & kTransactionalFlag) != 0;
  header.control = (flags & kControlFlag) != 0;
  header.leader_epoch = in.i32();
  header.append_time_ms = in.i64();
  header.record_count = in.i32();
  header.pulsar_ordinal_count = in.i32();
  header.max_timestamp = in.i64();
  header.crc = in.u32();
  header.producer_id = in.i64();
  header.producer_epoch = in.i16();
  header.base_sequence = in.i32();
  entry.good = in.ok() && kind <= 1 && format <= 2 && flags <= 3 && header.record_count > 0 &&
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

WalObject encode_wal(const std::vector<WalSlice>& slices, ByteWriter& scratch) {
  // Header and directory, then the index and the footer, in one buffer; payloads go between.
  std::uint64_t payload_bytes = 0;
  std::size_t entries = 0;
  for (const WalSlice& slice : slices) {
    entries += slice.entries->size();
    for (const Entry& entry : *slice.entries) payload_bytes += entry.payload.size();
  }
  const std::size_t front_bytes = kHeader_bytes + slices.size() * kPart_bytes;
  const std::size_t index_bytes = entries * kIndexEntry_bytes;
  WalObject object;
  object.size_bytes = front_bytes + payload_bytes + index_bytes + kFooter_bytes;

  // The index first: the directory holds its checksums.
  static_assert(kPart_bytes == 56);
  ByteWriter& out = scratch;
  out.clear();
  out.u32(kMagic);
  out.u16(kVersion);
  out.u16(static_cast<std::uint16_t>(slices.size()));
  out.u64(object.size_bytes);
  std::uint64_t payload_at = front_bytes;
  std::uint64_t index_at = front_bytes + payload_bytes;
  std::vector<std::size_t> crc_at;
  for (const WalSlice& slice : slices) {
    std::uint64_t slice_bytes = 0;
    for (const Entry& entry : *slice.entries) slice_bytes += entry.payload.size();
    const std::uint64_t slice_index_bytes = slice.entries->size() * kIndexEntry_bytes;
    out.u32(slice.attempt.stream);
    out.u32(slice.attempt.session_epoch);
    out.u64(slice.attempt.sequence);
    out.u32(static_cast<std::uint32_t>(slice.entries->size()));
    out.u64(payload_at);
    out.u64(slice_bytes);
    out.u64(index_at);
    out.u64(slice_index_bytes);
    crc_at.push_back(out.size());
    out.u32(0);
    payload_at += slice_bytes;
    index_at += slice_index_bytes;
  }
  std::uint64_t at = front_bytes;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const std::size_t begin = out.size();
    std::int64_t relative = 0;
    for (const Entry& entry : *slices[i].entries) {
      write_index_entry(out, entry, relative, at);
      relative += entry.header.record_count;
      at += entry.payload.size();
    }
    out.patch_i32(crc_at[i], static_cast<std::int32_t>(formats::crc32c(out.view().subspan(begin))));
  }
  object.checksum = formats::crc32c(out.view());
  out.u32(object.checksum);
  out.u32(kMagic);

  const Slice structure = out.to_slice();
  object.bytes.reserve(entries + 2);
  object.bytes.push_back(structure.sub(0, front_bytes));
  for (const WalSlice& slice : slices) {
    for (const Entry& entry : *slice.entries) {
      if (!entry.payload.empty()) object.bytes.push_back(entry.payload);
    }
  }
  object.bytes.push_back(structure.from(front_bytes));
  return object;
}

StatusOr<WalDirectory> decode_wal_directory(const SliceList& object) {
  const std::uint64_t size_bytes = total_size(object);
  if (size_bytes < kHeader_bytes + kFooter_bytes) return damaged("too short");
  const Slice head = range_of(object, 0, kHeader_bytes);
  ByteReader header(head.bytes());
  const bool right = header.u32() == kMagic && header.u16() == kVersion;
  const std::size_t parts = header.u16();
  if (!right || header.u64() != size_bytes) return damaged("not one, or cut");
  const std::uint64_t front_bytes = kHeader_bytes + parts * kPart_bytes;
  if (front_bytes + kFooter_bytes > size_bytes) return damaged("directory cut");
  const Slice front = range_of(object, 0, front_bytes);
  ByteReader in(front.from(kHeader_bytes).bytes());

  WalDirectory directory;
  directory.parts.reserve(parts);
  std::uint64_t payload_end = front_bytes;
  for (std::size_t i = 0; i < parts; ++i) {
    WalDirectory::Part part;
    part.attempt.stream = in.u32();
    part.attempt.session_epoch = in.u32();
    part.attempt.sequence = in.u64();
    part.entry_count = in.u32();
    part.payload_offset = in.u64();
    part.payload_bytes = in.u64();
    part.index_offset = in.u64();
    part.index_bytes = in.u64();
    part.index_crc = in.u32();
    if (part.payload_offset != payload_end || part.payload_bytes > size_bytes - payload_end)
      return damaged("payload out of place");
    payload_end += part.payload_bytes;
    directory.parts.push_back(part);
  }
  std::uint64_t index_end = payload_end;
  for (const WalDirectory::Part& part : directory.parts) {
    const bool fits = part.index_offset == index_end && part.index_bytes <= size_bytes - index_end &&
                      part.index_bytes == std::uint64_t{part.entry_count} * kIndexEntry_bytes;
    if (!fits) return damaged("index out of place");
    index_end += part.index_bytes;
  }
  if (index_end + kFooter_bytes != size_bytes) return damaged("index out of place");
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
    const bool placed = found.good && found.at == at && found.header.base_offset == relative &&
                        found.size_bytes <= part.payload_offset + part.payload_bytes - at;
    if (!placed) return damaged("entry out of place");
    Entry entry;
    entry.header = found.header;
    entry.payload = range_of(object, at, found.size_bytes);
    if (!payload_proved(entry, found.check)) return damaged("payload checksum");
    at += found.size_bytes;
    relative += found.header.record_count;
    entries.push_back(std::move(entry));
  }
  if (at != part.payload_offset + part.payload_bytes) return damaged("payload without entry");
  return entries;
}

}  // namespace wt::stream
