#include "harness/journal/writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/journal/payloads.h"
#include "sim/formats/crc32c.h"

namespace wt::harness {

namespace {

constexpr std::size_t kFrameHead_bytes = 8;
constexpr std::size_t kChunk_bytes = 1024 * 1024;
constexpr std::size_t kFlushAbove_bytes = 16 * 1024 * 1024;
// Kept free of entries, so that the marker of an overflow always fits.
constexpr std::uint64_t kMarkerRoom_bytes = 256;

}  // namespace

// --- sinks ---

void MemorySink::Buffer::append(std::span<const std::uint8_t> bytes) {
  const std::lock_guard lock(mutex_);
  size_bytes_ += bytes.size();
  while (!bytes.empty()) {
    if (chunks_.empty() || chunks_.back().size() == kChunk_bytes)
      chunks_.emplace_back().reserve(kChunk_bytes);
    std::vector<std::uint8_t>& chunk = chunks_.back();
    const std::size_t part_bytes = std::min(bytes.size(), kChunk_bytes - chunk.size());
    chunk.insert(chunk.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(part_bytes));
    bytes = bytes.subspan(part_bytes);
  }
}

Slice MemorySink::Buffer::copy() const {
  const std::lock_guard lock(mutex_);
  if (size_bytes_ == 0) return {};
  Block* block = Block::create(size_bytes_);
  std::uint8_t* out = block->data();
  for (const std::vector<std::uint8_t>& chunk : chunks_) out = std::copy(chunk.begin(), chunk.end(), out);
  Slice whole(block, block->data(), size_bytes_);
  block->unref();
  return whole;
}

std::size_t MemorySink::Buffer::size_bytes() const {
  const std::lock_guard lock(mutex_);
  return size_bytes_;
}

Status MemorySink::write(std::span<const std::uint8_t> bytes) {
  buffer_->append(bytes);
  return ok_status();
}

StatusOr<std::unique_ptr<FileSink>> FileSink::create(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    return make_status(StatusCode::kUnavailable, "cannot create " + path + ": " + std::strerror(errno));
  }
  return std::unique_ptr<FileSink>(new FileSink(descriptor, path));
}

FileSink::~FileSink() {
  ::close(descriptor_);
}

Status FileSink::write(std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      return make_status(StatusCode::kUnavailable, "cannot write " + path_ + ": " + std::strerror(errno));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return ok_status();
}

// --- writer ---

JournalWriter::JournalWriter(std::unique_ptr<JournalSink> sink, std::uint64_t limit_bytes)
    : sink_(std::move(sink)), limit_bytes_(std::max<std::uint64_t>(limit_bytes, 4096)) {}

void JournalWriter::start(const JournalHead& head) {
  last_step_ = head.start_step;
  last_time_ns_ = head.epoch_ns;
  status_ = sink_->write({reinterpret_cast<const std::uint8_t*>(kJournalMagic.data()), kJournalMagic.size()});
  written_bytes_ += kJournalMagic.size();
  frame_.clear();
  frame_.u64(0);
  frame_.u8('H');
  encode(frame_, head);
  write_frame();
}

void JournalWriter::begin_frame() {
  frame_.clear();
  frame_.u64(0);  // length and CRC, patched in write_frame
  frame_.u8('E');
  put_number(frame_, next_sequence_);
}

void JournalWriter::encode_entry(const Entry& entry, std::span<const std::uint8_t> payload) {
  if (entries_in_frame_ == 0) begin_frame();
  ++entries_in_frame_;
  ++next_sequence_;
  frame_.u8(
      static_cast<std::uint8_t>(static_cast<std::uint8_t>(entry.kind) | (entry.first_of_batch ? 0x80U : 0U)));
  if (entry.first_of_batch) frame_.u32(entry.trace_hash_low);
  put_number(frame_, entry.step - last_step_);
  put_number(frame_, static_cast<std::uint64_t>(entry.time_ns) - static_cast<std::uint64_t>(last_time_ns_));
  put_number(frame_, entry.connection);
  put_number(frame_, payload.size());
  frame_.bytes(payload);
  last_step_ = entry.step;
  last_time_ns_ = entry.time_ns;
}

void JournalWriter::append(const Entry& entry, std::span<const std::uint8_t> payload) {
  if (ended_ || !intact_) return;
  const std::uint64_t needed_bytes = written_bytes_ + frame_.size() + payload.size() + 64 + kMarkerRoom_bytes;
  if (needed_bytes > limit_bytes_) {
    Entry marker = entry;
    marker.kind = EntryKind::overflow;
    marker.first_of_batch = false;
    marker.connection = 0;
    encode_entry(marker, {});
    flush();
    intact_ = false;
    status_ = make_status(StatusCode::kResourceExhausted,
                          "the recording reached its limit of " + std::to_string(limit_bytes_) + " bytes");
    return;
  }
  encode_entry(entry, payload);
  ended_ = entry.kind == EntryKind::end;
  if (frame_.size() > kFlushAbove_bytes) flush();
}

void JournalWriter::flush() {
  if (entries_in_frame_ == 0 || !intact_) return;
  entries_in_frame_ = 0;
  write_frame();
}

void JournalWriter::write_frame() {
  const std::span<const std::uint8_t> body = frame_.view().subspan(kFrameHead_bytes);
  const std::uint32_t crc = formats::crc32c(body);
  frame_.patch_i32(0, static_cast<std::int32_t>(body.size()));
  frame_.patch_i32(4, static_cast<std::int32_t>(crc));
  if (status_.ok()) status_ = sink_->write(frame_.view());
  if (!status_.ok()) intact_ = false;
  written_bytes_ += frame_.size();
  frame_.clear();
}

}  // namespace wt::harness
