#include "harness/journal/recorder.h"

#include "harness/journal/build_info.h"

namespace wt::harness {

void Recorder::start(Kernel& kernel, JournalHead head) {
  kernel_ = &kernel;
  head.code_version = code_version();
  head.compiler = compiler_version();
  head.library_versions = library_versions();
  head.seed = kernel.seed();
  head.epoch_ns = kernel.epoch();
  head.start_step = kernel.steps();
  writer_.start(head);
}

Entry Recorder::stamp(EntryKind kind) const {
  Entry entry;
  entry.kind = kind;
  entry.step = kernel_->steps();
  entry.time_ns = kernel_->now();
  return entry;
}

void Recorder::input(EntryKind kind, ConnectionId connection, std::span<const std::uint8_t> payload) {
  Entry entry = stamp(kind);
  entry.connection = connection;
  entry.first_of_batch = std::exchange(first_of_batch_, false);
  if (entry.first_of_batch) entry.trace_hash_low = static_cast<std::uint32_t>(kernel_->trace().hash());
  writer_.append(entry, payload);
}

void Recorder::executed(std::string_view answer) {
  ExecutedPayload payload;
  payload.result_hash = hash_bytes(answer);
  scratch_.clear();
  encode(scratch_, payload);
  writer_.append(stamp(EntryKind::executed), scratch_.view());
}

void Recorder::outputs(const std::vector<Output>& outputs) {
  if (!writer_.intact()) return;
  marks_.marks.clear();
  for (const Output& output : outputs) {
    if (!output.bytes.empty()) {
      const ConnectionOutput sum = hashes_.update(output.connection, output.bytes);
      OutputMark mark;
      mark.connection = output.connection;
      mark.size_bytes = total_size(output.bytes);
      mark.hash_low = static_cast<std::uint32_t>(sum.hash);
      marks_.marks.push_back(mark);
    }
    if (output.over) hashes_.finish(output.connection);
  }
  if (marks_.marks.empty()) return;
  if (options_.outputs == OutputDetail::bytes) {
    for (const Output& output : outputs) {
      if (output.bytes.empty()) continue;
      Entry entry = stamp(EntryKind::output_bytes);
      entry.connection = output.connection;
      entry.payload = flatten(output.bytes);
      writer_.append(entry);
    }
  }
  scratch_.clear();
  encode(scratch_, marks_);
  writer_.append(stamp(EntryKind::output), scratch_.view());
}

void Recorder::checkpoints() {
  const std::vector<Checkpoint>& all = kernel_->checkpoints();
  if (all.size() == seen_checkpoints_) return;
  auto next = std::upper_bound(all.begin(), all.end(), last_checkpoint_step_,
                               [](std::uint64_t step, const Checkpoint& point) { return step < point.step; });
  for (; next != all.end(); ++next) {
    const Checkpoint& point = *next;
    last_checkpoint_step_ = point.step;
    scratch_.clear();
    encode(scratch_, point);
    writer_.append(stamp(EntryKind::checkpoint), scratch_.view());
  }
  seen_checkpoints_ = all.size();
}

void Recorder::finish() {
  checkpoints();
  EndPayload payload;
  payload.trace_hash = kernel_->trace().hash();
  payload.draws = kernel_->total_draws();
  if (kernel_->finding()) payload.finding = kernel_->finding()->check;
  payload.outputs = hashes_.all();
  scratch_.clear();
  encode(scratch_, payload);
  writer_.append(stamp(EntryKind::end), scratch_.view());
  writer_.flush();
}

}  // namespace wt::harness
