#include "harness/journal/reader.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "harness/journal/number_reader.h"
#include "harness/journal/payloads.h"
#include "harness/journal/writer.h"
#include "sim/formats/crc32c.h"

namespace wt::harness {

StatusOr<JournalReader> JournalReader::open(Slice file) {
  JournalReader reader(std::move(file));
  if (!reader.file_.text().starts_with(kJournalMagic)) {
    return make_status(StatusCode::kInvalidArgument, "not a recording, or one of another format");
  }
  reader.at_ = kJournalMagic.size();
  Slice body;
  if (!reader.next_frame(body) || body.data()[0] != 'H' || !decode(body.bytes().subspan(1), reader.head_)) {
    return make_status(StatusCode::kInvalidArgument, "the head of the recording is broken");
  }
  reader.last_step_ = reader.head_.start_step;
  reader.last_time_ns_ = reader.head_.epoch_ns;
  return reader;
}

StatusOr<JournalReader> JournalReader::open_file(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    return make_status(StatusCode::kNotFound, "cannot open " + path + ": " + std::strerror(errno));
  }
  std::vector<std::uint8_t> bytes;
  std::vector<std::uint8_t> chunk(1024 * 1024);
  for (;;) {
    const std::size_t got_bytes = std::fread(chunk.data(), 1, chunk.size(), file);
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(got_bytes));
    if (got_bytes < chunk.size()) break;
  }
  std::fclose(file);
  return open(Slice::copy_of(bytes));
}

bool JournalReader::stop(std::string problem) {
  problem_ = std::move(problem);
  at_ = file_.size();
  frame_ = {};
  frame_at_ = 0;
  return false;
}

// The body of the next frame: at least one byte.
bool JournalReader::next_frame(Slice& body) {
  if (at_ == file_.size()) return ended_ ? false : stop("the recording has no end");
  ByteReader in(file_.bytes().subspan(at_));
  const std::uint32_t size_bytes = in.u32();
  const std::uint32_t crc = in.u32();
  if (!in.ok() || size_bytes > in.remaining()) return stop("the recording is cut off");
  if (size_bytes == 0) return stop("the recording has an empty frame");
  body = file_.sub(at_ + in.position(), size_bytes);
  if (formats::crc32c(body.bytes()) != crc) return stop("the recording is damaged: wrong checksum");
  at_ += in.position() + size_bytes;
  return true;
}

bool JournalReader::begin_entries() {
  if (!next_frame(frame_)) return false;
  ByteReader in(frame_.bytes());
  if (in.u8() != 'E') return stop("the recording has a frame of unknown kind");
  if (take_number(in) != next_sequence_ || !in.ok()) return stop("entries are missing in the recording");
  frame_at_ = in.position();
  return true;
}

bool JournalReader::next(Entry& entry) {
  if (!problem_.empty()) return false;
  while (frame_at_ == frame_.size()) {
    if (!begin_entries()) return false;
  }
  if (ended_) return stop("the recording goes on after its end");
  ByteReader in(frame_.bytes().subspan(frame_at_));
  const std::uint8_t kind = in.u8();
  entry.first_of_batch = (kind & 0x80) != 0;
  entry.trace_hash_low = entry.first_of_batch ? in.u32() : 0;
  entry.kind = static_cast<EntryKind>(kind & 0x7F);
  entry.step = last_step_ + take_number(in);
  entry.time_ns = static_cast<TimeNs>(static_cast<std::uint64_t>(last_time_ns_) + take_number(in));
  entry.connection = take_number(in);
  const std::uint64_t size_bytes = take_number(in);
  if (!in.ok() || size_bytes > in.remaining() || (kind & 0x7F) == 0 || (kind & 0x7F) > kLastEntryKind) {
    return stop("the recording has a broken entry");
  }
  if (entry.step < last_step_ || entry.time_ns < last_time_ns_)
    return stop("the recording goes back in time");
  entry.payload = frame_.sub(frame_at_ + in.position(), static_cast<std::size_t>(size_bytes));
  frame_at_ += in.position() + static_cast<std::size_t>(size_bytes);
  entry.sequence = next_sequence_++;
  last_step_ = entry.step;
  last_time_ns_ = entry.time_ns;
  ended_ = entry.kind == EntryKind::end;
  if (entry.kind == EntryKind::overflow) stop("the recording reached its size limit");
  return true;
}

}  // namespace wt::harness
