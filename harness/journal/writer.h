// Writing a recording.
//
// The file: the magic "WTJOURN1", then frames. A frame is a length and a CRC32C (four bytes each, big
// endian) and a body: the head, or the entries of one flush. Step and time of an entry are differences to
// the entry before. A file cut anywhere is readable up to its last whole frame, and a recording without an
// `end` entry is partial.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "harness/journal/entry.h"
#include "sim/formats/byte_writer.h"
#include "sim/kernel/status.h"

namespace wt::harness {

// Where the bytes of a recording go.
class JournalSink {
 public:
  virtual ~JournalSink() = default;
  virtual Status write(std::span<const std::uint8_t> bytes) = 0;
};

// A buffer that other threads may read while the recording goes on.
class MemorySink final : public JournalSink {
 public:
  // Shared with whoever wants to read it, also after the writer has gone.
  class Buffer {
   public:
    void append(std::span<const std::uint8_t> bytes);
    Slice copy() const;
    std::size_t size_bytes() const;

   private:
    mutable std::mutex mutex_;
    std::vector<std::vector<std::uint8_t>> chunks_;  // full but for the last one: growing never copies
    std::size_t size_bytes_ = 0;
  };
  explicit MemorySink(std::shared_ptr<Buffer> buffer) : buffer_(std::move(buffer)) {}
  Status write(std::span<const std::uint8_t> bytes) override;

 private:
  std::shared_ptr<Buffer> buffer_;
};

class FileSink final : public JournalSink {
 public:
  // Creates or empties the file.
  static StatusOr<std::unique_ptr<FileSink>> create(const std::string& path);
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;
  ~FileSink() override;
  Status write(std::span<const std::uint8_t> bytes) override;

 private:
  FileSink(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_;
  std::string path_;
};

inline constexpr std::string_view kJournalMagic = "WTJOURN1";
inline constexpr std::uint64_t kDefaultJournalLimit_bytes = 256ULL * 1024 * 1024;

class JournalWriter {
 public:
  // No recording gets longer than `limit_bytes`.
  JournalWriter(std::unique_ptr<JournalSink> sink, std::uint64_t limit_bytes);

  void start(const JournalHead& head);
  // Numbers the entry and keeps it until flush(). Ignored once the recording has ended. `payload` may be
  // given apart from the entry, to save a copy.
  void append(const Entry& entry, std::span<const std::uint8_t> payload);
  void append(const Entry& entry) { append(entry, entry.payload.bytes()); }
  // One write to the sink.
  void flush();
  bool has_unwritten() const noexcept { return entries_in_frame_ > 0; }

  // False after an overflow or a failed write: the recording is partial for good.
  bool intact() const noexcept { return intact_; }
  const Status& status() const noexcept { return status_; }
  std::uint64_t written_bytes() const noexcept { return written_bytes_; }

 private:
  void encode_entry(const Entry& entry, std::span<const std::uint8_t> payload);
  void begin_frame();
  void write_frame();

  std::unique_ptr<JournalSink> sink_;
  std::uint64_t limit_bytes_;
  std::uint64_t written_bytes_ = 0;
  ByteWriter frame_;
  std::size_t entries_in_frame_ = 0;
  std::uint64_t next_sequence_ = 0;
  std::uint64_t last_step_ = 0;
  TimeNs last_time_ns_ = 0;
  bool intact_ = true;
  bool ended_ = false;
  Status status_;
};

}  // namespace wt::harness
