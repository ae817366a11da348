#include "harness/journal/replay.h"

#include <deque>

#include "harness/journal/payloads.h"

namespace wt::harness {

namespace {

std::string count_text(std::uint64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun);
}

// One replay in progress.
class Replayer final : public OutputReceiver {
 public:
  Replayer(JournalReader journal, Simulated& simulated, const ReplayOptions& options)
      : journal_(std::move(journal)),
        options_(options),
        boundary_(simulated, *this, journal_.head().output_window_bytes),
        kernel_(simulated.kernel()) {}

  ReplayResult run();
  void on_outputs(std::vector<Output>& outputs) override;

 private:
  struct Produced {
    std::uint64_t step;
    TimeNs time_ns;
    std::vector<OutputMark> marks;
    std::vector<SliceList> bytes;              // of each mark
    std::vector<std::uint64_t> offsets_bytes;  // of each mark, in all that its connection was sent
  };

  bool process(const Entry& entry);
  bool begin_input(const Entry& entry);
  bool give(const Entry& entry);
  bool answered(const Entry& entry);
  bool compare_output(const Entry& entry);
  bool compare_marks(const Entry& entry, const Produced& produced, const OutputPayload& expected);
  bool compare_bytes(const Entry& entry);
  bool compare_checkpoint(const Entry& entry);
  bool compare_end(const Entry& entry);
  bool none_left(const Entry& entry);
  bool differ(DifferenceKind kind, const Entry& entry, std::string text);
  bool differ_output(const Entry& entry, const OutputMark& mark, std::uint64_t offset_bytes,
                     std::string text);
  bool unusable(const Entry& entry, std::string text) {
    return differ(DifferenceKind::unusable, entry, std::move(text));
  }

  JournalReader journal_;
  const ReplayOptions& options_;
  Boundary boundary_;
  Kernel& kernel_;
  OutputHashes hashes_;
  std::deque<Produced> produced_;
  std::size_t bytes_compared_ = 0;  // marks of the front whose bytes were compared already
  std::uint64_t answer_hash_ = 0;
  std::uint64_t last_equal_step_ = 0;
  ReplayResult result_;
};

ReplayResult Replayer::run() {
  const JournalHead& head = journal_.head();
  Entry entry;
  bool going = true;
  if (head.epoch_ns != kernel_.epoch() || head.seed != kernel_.seed() || head.start_step != kernel_.steps()) {
    going = unusable(entry, "the simulation has another seed, epoch or start than the recording");
  }
  for (std::size_t i = 0; going && i < head.listeners.size() && i < boundary_.listeners().size(); ++i) {
    const ListenerAddress& address = head.listeners[i];
    if (address.port != 0) boundary_.simulated().set_address(i, address.host, address.port);
  }
  last_equal_step_ = head.start_step;
  while (going && journal_.next(entry)) {
    ++result_.entries;
    going = process(entry);
  }
  result_.complete = !result_.difference && journal_.complete();
  result_.problem = journal_.problem();
  result_.equal = !result_.difference;
  result_.trace_hash = kernel_.trace().hash();
  result_.steps = kernel_.steps();
  return std::move(result_);
}

void Replayer::on_outputs(std::vector<Output>& outputs) {
  if (options_.outputs != nullptr) options_.outputs->on_outputs(outputs);
  Produced produced;
  produced.step = kernel_.steps();
  produced.time_ns = kernel_.now();
  for (const Output& output : outputs) {
    if (!output.bytes.empty()) {
      const ConnectionOutput sum = hashes_.update(output.connection, output.bytes);
      OutputMark mark;
      mark.connection = output.connection;
      mark.size_bytes = total_size(output.bytes);
      mark.hash_low = static_cast<std::uint32_t>(sum.hash);
      produced.marks.push_back(mark);
      produced.bytes.push_back(output.bytes);
      produced.offsets_bytes.push_back(sum.total_bytes - mark.size_bytes);
    }
    if (output.over) hashes_.finish(output.connection);
  }
  if (!produced.marks.empty()) produced_.push_back(std::move(produced));
}

bool Replayer::process(const Entry& entry) {
  if (is_input(entry.kind)) {
    if (entry.first_of_batch && !begin_input(entry)) return false;
    return give(entry);
  }
  switch (entry.kind) {
    case EntryKind::executed:
      return answered(entry);
    case EntryKind::output:
      return compare_output(entry);
    case EntryKind::output_bytes:
      return compare_bytes(entry);
    case EntryKind::checkpoint:
      return compare_checkpoint(entry);
    case EntryKind::end:
      return compare_end(entry);
    default:
      return true;  // overflow: the reader says so
  }
}

bool Replayer::differ(DifferenceKind kind, const Entry& entry, std::string text) {
  if (result_.difference) return false;
  Difference difference;
  difference.kind = kind;
  difference.sequence = entry.sequence;
  difference.time_ns = entry.time_ns;
  difference.from_step = last_equal_step_;
  difference.to_step = std::max(kernel_.steps(), entry.step);
  difference.text = std::move(text);
  result_.difference = std::move(difference);
  return false;
}

bool Replayer::differ_output(const Entry& entry, const OutputMark& mark, std::uint64_t offset_bytes,
                             std::string text) {
  differ(DifferenceKind::output, entry, std::move(text));
  result_.difference->connection = mark.connection;
  result_.difference->offset_bytes = offset_bytes;
  result_.difference->size_bytes = mark.size_bytes;
  return false;
}

// Whether the recording has named all output so far.
bool Replayer::none_left(const Entry& entry) {
  if (produced_.empty()) return true;
  const OutputMark& mark = produced_.front().marks.front();
  return differ_output(entry, mark, produced_.front().offsets_bytes.front(),
                       "connection " + std::to_string(mark.connection) + " was sent " +
                           count_text(mark.size_bytes, "bytes") + " that are not in the recording");
}

bool Replayer::begin_input(const Entry& entry) {
  boundary_.run_to(entry.time_ns);
  if (!none_left(entry)) return false;
  if (kernel_.now() != entry.time_ns || kernel_.steps() != entry.step) {
    return differ(DifferenceKind::inside, entry,
                  "input #" + std::to_string(entry.sequence) + " came in at step " +
                      std::to_string(entry.step) + ", and now the simulation is at step " +
                      std::to_string(kernel_.steps()));
  }
  if (boundary_.trace_hash_low() != entry.trace_hash_low) {
    return differ(DifferenceKind::inside, entry,
                  "before input #" + std::to_string(entry.sequence) + " at step " +
                      std::to_string(entry.step) + " the trace was another");
  }
  last_equal_step_ = entry.step;
  return true;
}

bool Replayer::give(const Entry& entry) {
  const ConnectionId connection = entry.connection;
  const PayloadBytes payload = entry.payload.bytes();
  if (connection != 0 && !boundary_.simulated().streams().exists(connection)) {
    return unusable(entry, "there is no connection " + std::to_string(connection));
  }
  switch (entry.kind) {
    case EntryKind::bytes:
      boundary_.bytes(connection, entry.payload);
      return true;
    case EntryKind::half_close:
      boundary_.half_close(connection);
      return true;
    case EntryKind::reset:
      boundary_.reset(connection);
      return true;
    case EntryKind::output_unblocked:
      boundary_.unblocked(connection);
      return true;
    case EntryKind::execute:
      answer_hash_ = hash_bytes(boundary_.execute(entry.payload.text()));
      return true;
    case EntryKind::accept: {
      AcceptPayload accept;
      if (!decode(payload, accept)) return unusable(entry, "an entry of the recording is broken");
      (void)boundary_.accept(
          static_cast<std::size_t>(accept.listener));  // a refusal is the simulation's answer
      return true;
    }
    case EntryKind::advance: {
      AdvancePayload advance;
      if (!decode(payload, advance)) return unusable(entry, "an entry of the recording is broken");
      boundary_.advance(advance.by_ns, advance.silence_counts);
      return true;
    }
    case EntryKind::park_expired: {
      ParkExpiredPayload park;
      if (!decode(payload, park)) return unusable(entry, "an entry of the recording is broken");
      if (boundary_.park_expired(park.id)) return true;
      return differ(DifferenceKind::inside, entry, "no request waits with timer " + std::to_string(park.id));
    }
    case EntryKind::address: {
      AddressPayload address;
      if (!decode(payload, address) || address.listener >= boundary_.listeners().size()) {
        return unusable(entry, "an entry of the recording is broken");
      }
      boundary_.simulated().set_address(static_cast<std::size_t>(address.listener), address.address.host,
                                        address.address.port);
      return true;
    }
    default:
      return true;
  }
}

bool Replayer::answered(const Entry& entry) {
  ExecutedPayload executed;
  if (!decode(entry.payload.bytes(), executed)) return unusable(entry, "an entry of the recording is broken");
  if (executed.result_hash == answer_hash_) return true;
  return differ(DifferenceKind::answer, entry,
                "the call before #" + std::to_string(entry.sequence) + " was answered differently");
}

bool Replayer::compare_output(const Entry& entry) {
  OutputPayload expected;
  if (!decode(entry.payload.bytes(), expected)) return unusable(entry, "an entry of the recording is broken");
  if (produced_.empty()) boundary_.run_to(entry.time_ns);
  if (produced_.empty()) {
    if (expected.marks.empty()) return true;
    return differ_output(entry, expected.marks.front(), 0,
                         "connection " + std::to_string(expected.marks.front().connection) +
                             " was not sent " + count_text(expected.marks.front().size_bytes, "bytes") +
                             " that are in the recording");
  }
  const Produced produced = std::move(produced_.front());
  produced_.pop_front();
  bytes_compared_ = 0;
  if (!compare_marks(entry, produced, expected)) return false;
  if (produced.step == entry.step && produced.time_ns == entry.time_ns) return true;
  return differ(DifferenceKind::inside, entry,
                "output #" + std::to_string(entry.sequence) + " came at step " + std::to_string(entry.step) +
                    " and now comes at step " + std::to_string(produced.step));
}

bool Replayer::compare_marks(const Entry& entry, const Produced& produced, const OutputPayload& expected) {
  for (std::size_t i = 0; i < std::max(expected.marks.size(), produced.marks.size()); ++i) {
    const bool missing =
        i >= produced.marks.size() ||
        (i < expected.marks.size() && expected.marks[i].connection < produced.marks[i].connection);
    if (missing) {
      const OutputMark& mark = expected.marks[i];
      return differ_output(entry, mark, 0,
                           "connection " + std::to_string(mark.connection) + " was not sent " +
                               count_text(mark.size_bytes, "bytes") + " that are in the recording");
    }
    const OutputMark& now = produced.marks[i];
    if (i >= expected.marks.size() || expected.marks[i].connection > now.connection) {
      return differ_output(entry, now, produced.offsets_bytes[i],
                           "connection " + std::to_string(now.connection) + " was sent " +
                               count_text(now.size_bytes, "bytes") + " that are not in the recording");
    }
    const OutputMark& was = expected.marks[i];
    if (was.size_bytes == now.size_bytes && was.hash_low == now.hash_low) continue;
    OutputMark mark = now;
    mark.size_bytes = std::max(was.size_bytes, now.size_bytes);
    return differ_output(
        entry, mark, produced.offsets_bytes[i],
        "connection " + std::to_string(now.connection) + " was sent other bytes from offset " +
            std::to_string(produced.offsets_bytes[i]) + " on: recorded were " +
            std::to_string(was.size_bytes) + ", now there are " + std::to_string(now.size_bytes));
  }
  return true;
}

// Comes before the entry with the hashes of the same instant.
bool Replayer::compare_bytes(const Entry& entry) {
  if (produced_.empty()) boundary_.run_to(entry.time_ns);
  if (produced_.empty()) return true;  // said by the entry with the hashes
  const Produced& produced = produced_.front();
  const std::size_t i = bytes_compared_++;
  if (i >= produced.marks.size() || produced.marks[i].connection != entry.connection) return true;
  const std::span<const std::uint8_t> was = entry.payload.bytes();
  const Slice flat = flatten(produced.bytes[i]);
  const std::span<const std::uint8_t> now = flat.bytes();
  const std::size_t common_bytes = std::min(was.size(), now.size());
  std::size_t at = 0;
  while (at < common_bytes && was[at] == now[at]) ++at;
  if (at == was.size() && at == now.size()) return true;
  OutputMark mark = produced.marks[i];
  mark.size_bytes = 1;
  return differ_output(entry, mark, produced.offsets_bytes[i] + at,
                       "connection " + std::to_string(mark.connection) + " was sent another byte at offset " +
                           std::to_string(produced.offsets_bytes[i] + at));
}

bool Replayer::compare_checkpoint(const Entry& entry) {
  Checkpoint was;
  if (!decode(entry.payload.bytes(), was)) return unusable(entry, "an entry of the recording is broken");
  if (kernel_.steps() < was.step) boundary_.run_to(entry.time_ns);
  const std::vector<Checkpoint>& all = kernel_.checkpoints();
  const auto found =
      std::lower_bound(all.begin(), all.end(), was.step,
                       [](const Checkpoint& point, std::uint64_t step) { return point.step < step; });
  if (found == all.end() || found->step != was.step) return true;
  const bool same = found->time_ns == was.time_ns && found->hash == was.hash && found->draws == was.draws &&
                    found->digest == was.digest;
  if (same) {
    last_equal_step_ = std::max(last_equal_step_, was.step);
    return true;
  }
  differ(DifferenceKind::inside, entry, "the checkpoint at step " + std::to_string(was.step) + " differs");
  result_.difference->to_step = std::max(was.step, last_equal_step_);
  return false;
}

bool Replayer::compare_end(const Entry& entry) {
  EndPayload was;
  if (!decode(entry.payload.bytes(), was)) return unusable(entry, "an entry of the recording is broken");
  boundary_.run_to(entry.time_ns);
  if (!none_left(entry)) return false;
  const std::string finding = kernel_.finding() ? kernel_.finding()->check : std::string();
  if (finding != was.finding) {
    return differ(DifferenceKind::end, entry,
                  "the finding was \"" + was.finding + "\" and now is \"" + finding + "\"");
  }
  if (kernel_.steps() != entry.step || kernel_.trace().hash() != was.trace_hash ||
      kernel_.total_draws() != was.draws) {
    return differ(DifferenceKind::end, entry,
                  "at the end the trace is another: " + count_text(entry.step, "steps") +
                      " were recorded, now there are " + std::to_string(kernel_.steps()));
  }
  if (hashes_.all() != was.outputs) {
    return differ(DifferenceKind::end, entry, "the connections were sent other bytes in total");
  }
  return true;
}

}  // namespace

ReplayResult replay(JournalReader journal, Simulated& simulated, const ReplayOptions& options) {
  if (options.trace != nullptr) simulated.kernel().trace().observe(options.trace);
  ReplayResult result = Replayer(std::move(journal), simulated, options).run();
  if (options.trace != nullptr) simulated.kernel().trace().unobserve(options.trace);
  return result;
}

}  // namespace wt::harness
