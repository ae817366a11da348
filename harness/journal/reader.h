// Reading a recording. Accepts any bytes: what is broken or cut off ends the reading, and is said.
#pragma once

#include <string>

#include "harness/journal/entry.h"
#include "sim/formats/byte_reader.h"
#include "sim/kernel/status.h"

namespace wt::harness {

class JournalReader {
 public:
  // InvalidArgument when the bytes are no recording of this format, or when the head is broken.
  static StatusOr<JournalReader> open(Slice file);
  static StatusOr<JournalReader> open_file(const std::string& path);

  const JournalHead& head() const noexcept { return head_; }
  // Gives the next entry; its payload shares the file's memory. False when there is none.
  bool next(Entry& entry);
  // Once next() has answered false: whether the recording reaches its end.
  bool complete() const noexcept { return ended_ && problem_.empty(); }
  // Why it does not.
  const std::string& problem() const noexcept { return problem_; }

 private:
  explicit JournalReader(Slice file) : file_(std::move(file)) {}
  bool next_frame(Slice& body);
  bool begin_entries();
  bool stop(std::string problem);

  Slice file_;
  std::size_t at_ = 0;  // of the next frame in the file
  Slice frame_;         // body of the current one
  std::size_t frame_at_ = 0;
  JournalHead head_;
  std::uint64_t next_sequence_ = 0;
  std::uint64_t last_step_ = 0;
  TimeNs last_time_ns_ = 0;
  bool ended_ = false;
  std::string problem_;
};

}  // namespace wt::harness
