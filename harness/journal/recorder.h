// Writes down what crosses the boundary, as it does.
#pragma once

#include <memory>
#include <string_view>

#include "harness/journal/boundary.h"
#include "harness/journal/output_hash.h"
#include "harness/journal/writer.h"

namespace wt::harness {

// What a recording keeps of the bytes that were sent.
enum class OutputDetail : std::uint8_t {
  hashes,  // enough to name the first piece that differs
  bytes,   // … and the first byte in it
};

struct RecorderOptions {
  std::uint64_t limit_bytes = kDefaultJournalLimit_bytes;
  OutputDetail outputs = OutputDetail::hashes;
};

class Recorder {
 public:
  Recorder(std::unique_ptr<JournalSink> sink, const RecorderOptions& options)
      : options_(options), writer_(std::move(sink), options.limit_bytes) {}

  // Versions, seed, epoch and step of the head are filled in here.
  void start(Kernel& kernel, JournalHead head);
  // Begins a batch: the next input carries the mark.
  void begin_batch() noexcept { first_of_batch_ = true; }
  void input(EntryKind kind, ConnectionId connection, std::span<const std::uint8_t> payload);
  template <class Payload>
  void input_of(EntryKind kind, const Payload& payload);
  void executed(std::string_view answer);
  // Call for all outputs, before their bytes are moved out.
  void outputs(const std::vector<Output>& outputs);
  // Takes over the checkpoints that the kernel has made since.
  void checkpoints();
  void flush() { writer_.flush(); }
  bool has_unwritten() const noexcept { return writer_.has_unwritten(); }
  // The last entry. Without it the recording counts as partial.
  void finish();

  // False once the recording can no longer be complete; status() says why.
  bool intact() const noexcept { return writer_.intact(); }
  const Status& status() const noexcept { return writer_.status(); }
  std::uint64_t written_bytes() const noexcept { return writer_.written_bytes(); }

 private:
  Entry stamp(EntryKind kind) const;

  RecorderOptions options_;
  JournalWriter writer_;
  Kernel* kernel_ = nullptr;
  bool first_of_batch_ = false;
  OutputHashes hashes_;
  OutputPayload marks_;
  ByteWriter scratch_;
  std::uint64_t last_checkpoint_step_ = 0;
  std::size_t seen_checkpoints_ = 0;
};

}  // namespace wt::harness

#include "harness/journal/payloads.h"

namespace wt::harness {

template <class Payload>
void Recorder::input_of(EntryKind kind, const Payload& payload) {
  scratch_.clear();
  encode(scratch_, payload);
  input(kind, 0, scratch_.view());
}

}  // namespace wt::harness
