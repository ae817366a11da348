// Whatever the outside does, and whenever: what was recorded replays, byte for byte.
#include <rapidcheck.h>

#include <catch2/catch.hpp>

#include "harness/journal/replay.h"
#include "tests/unit/gateway/echo.h"

using namespace wt;
using namespace wt::harness;

namespace {

enum class Action : std::uint8_t {
  connect,
  send,
  send_part,
  half_close,
  reset,
  unblock,
  pass,
  jump,
  call,
  release
};

struct Step {
  Action action = Action::pass;
  std::uint32_t a = 0;
  std::uint32_t b = 0;
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << "{" << static_cast<int>(step.action) << "," << step.a << "," << step.b << "}";
}

// All that was sent, by connection.
class Sent final : public OutputReceiver {
 public:
  void on_outputs(std::vector<Output>& outputs) override {
    for (const Output& output : outputs) {
      for (const Slice& slice : output.bytes) bytes[output.connection] += slice.text();
      if (output.blocked) blocked.insert(output.connection);
    }
  }
  std::map<ConnectionId, std::string> bytes;
  std::set<ConnectionId> blocked;
};

// Plays the gateway's part without sockets.
class Outside final : public OutputReceiver {
 public:
  explicit Outside(const EchoOptions& options, OutputDetail outputs)
      : sim(options),
        boundary(sim, *this, kWindow_bytes),
        recorder(std::make_unique<MemorySink>(buffer), recorder_options(outputs)) {
    JournalHead head;
    head.output_window_bytes = kWindow_bytes;
    recorder.start(sim.kernel(), head);
  }
  static RecorderOptions recorder_options(OutputDetail outputs) {
    RecorderOptions options;
    options.outputs = outputs;
    return options;
  }

  void on_outputs(std::vector<Output>& outputs) override {
    recorder.outputs(outputs);
    sent.on_outputs(outputs);
    for (const Output& output : outputs) {
      if (output.over || output.reset) std::erase(open, output.connection);
    }
  }

  void take(const Step& step) {
    // Several inputs in one batch, as several sockets are read in one turn.
    if (step.b % 4 != 0) {
      boundary.settle();
      recorder.begin_batch();
    } else if (!batch_open) {
      recorder.begin_batch();
    }
    batch_open = true;
    const ConnectionId connection = open.empty() ? 0 : open[step.a % open.size()];
    switch (step.action) {
      case Action::connect:
        return connect(step);
      case Action::send:
      case Action::send_part:
        return send(connection, step);
      case Action::half_close:
        if (connection == 0) return;
        recorder.input(EntryKind::half_close, connection, {});
        return boundary.half_close(connection);
      case Action::reset:
        if (connection == 0) return;
        recorder.input(EntryKind::reset, connection, {});
        std::erase(open, connection);
        return boundary.reset(connection);
      case Action::unblock:
        return unblock();
      case Action::pass:
        batch_open = false;
        return boundary.run_to(sim.kernel().now() + step.a % 20 * (kMillisecond_ns / 2));
      case Action::jump:
        return jump(step);
      case Action::call:
        return call(step);
      case Action::release:
        return release();
    }
  }

  void connect(const Step& step) {
    AcceptPayload payload;
    payload.listener = step.a % boundary.listeners().size();
    recorder.input_of(EntryKind::accept, payload);
    const StatusOr<ConnectionId> id = boundary.accept(static_cast<std::size_t>(payload.listener));
    if (id.ok()) open.push_back(*id);
  }

  void send(ConnectionId connection, const Step& step) {
    if (connection == 0) return;
    static constexpr std::string_view kRequests[] = {"e ", "d3 ", "t5 ", "s4 ", "p6 ", "b40",
                                                     "x",  "g2",  "h",   "c",   "r"};
    const std::string text =
        std::string(kRequests[step.b / 8 % std::size(kRequests)]) + std::to_string(step.b);
    std::string& rest = unsent[connection];
    rest += framed(text.substr(0, text.find("b40") == 0 ? 3 : text.size()));
    const std::size_t size_bytes = step.action == Action::send ? rest.size() : 1 + step.a % rest.size();
    const Slice bytes = Slice::copy_of(rest.substr(0, size_bytes));
    rest.erase(0, size_bytes);
    recorder.input(EntryKind::bytes, connection, bytes.bytes());
    boundary.bytes(connection, bytes);
  }

  void unblock() {
    for (const ConnectionId connection : std::exchange(sent.blocked, {})) {
      if (!sim.streams().exists(connection)) continue;
      recorder.input(EntryKind::output_unblocked, connection, {});
      boundary.unblocked(connection);
      ++unblocked;
    }
  }

  void jump(const Step& step) {
    boundary.settle();
    recorder.begin_batch();
    AdvancePayload payload;
    payload.by_ns = static_cast<DurationNs>(step.a % 50) * kMillisecond_ns - kMillisecond_ns;
    payload.silence_counts = step.b % 2 == 0;
    recorder.input_of(EntryKind::advance, payload);
    boundary.advance(payload.by_ns, payload.silence_counts);
    batch_open = false;
  }

  void call(const Step& step) {
    boundary.settle();
    recorder.begin_batch();
    static constexpr std::string_view kCalls[] = {"crash ", "restart ", "count", "nonsense", "restart "};
    const std::string text = std::string(kCalls[step.b % std::size(kCalls)]) + std::to_string(step.a % 3);
    const Slice bytes = Slice::copy_of(text);
    recorder.input(EntryKind::execute, 0, bytes.bytes());
    recorder.executed(boundary.execute(text));
    boundary.settle();
    batch_open = false;
  }

  void release() {
    boundary.settle();
    batch_open = false;
    const std::vector<Kernel::Parked> parked = sim.kernel().parked();
    if (parked.empty()) return;
    recorder.begin_batch();
    ParkExpiredPayload payload;
    payload.id = parked.front().id;
    recorder.input_of(EntryKind::park_expired, payload);
    boundary.park_expired(payload.id);
    batch_open = true;
  }

  static constexpr std::uint64_t kWindow_bytes = 30'000;
  EchoSimulated sim;
  Sent sent;
  std::vector<ConnectionId> open;
  std::map<ConnectionId, std::string> unsent;
  bool batch_open = false;
  int unblocked = 0;
  Boundary boundary;
  std::shared_ptr<MemorySink::Buffer> buffer = std::make_shared<MemorySink::Buffer>();
  Recorder recorder;
};

}  // namespace

template <>
struct rc::Arbitrary<Step> {
  static Gen<Step> arbitrary() {
    return gen::build<Step>(gen::set(&Step::action, gen::weightedElement<Action>({{4, Action::connect},
                                                                                  {12, Action::send},
                                                                                  {5, Action::send_part},
                                                                                  {1, Action::half_close},
                                                                                  {1, Action::reset},
                                                                                  {2, Action::unblock},
                                                                                  {8, Action::pass},
                                                                                  {2, Action::jump},
                                                                                  {2, Action::call},
                                                                                  {2, Action::release}})),
                            gen::set(&Step::a, gen::inRange<std::uint32_t>(0, 1000)),
                            gen::set(&Step::b, gen::inRange<std::uint32_t>(0, 1000)));
  }
};

TEST_CASE("any run that is recorded replays with the same bytes and the same trace") {
  CHECK(rc::check([](bool slow_links, bool in_full) {
    const auto steps = *rc::gen::scale(5.0, rc::gen::arbitrary<std::vector<Step>>());
    EchoOptions options;
    options.latency_ns = slow_links ? 300 * kMicrosecond_ns : 0;
    options.window_bytes = 10'000;
    options.checkpoint_steps = 10;
    Outside outside(options, in_full ? OutputDetail::bytes : OutputDetail::hashes);
    for (std::uint32_t i = 0; i < 3; ++i) outside.take({Action::connect, i, 1});
    for (const Step& step : steps) {
      outside.take(step);
      if (step.action == Action::pass) outside.recorder.checkpoints();
    }
    outside.boundary.settle();
    outside.recorder.finish();

    EchoSimulated fresh(options);
    Sent again;
    ReplayOptions replay_options;
    replay_options.outputs = &again;
    StatusOr<JournalReader> reader = JournalReader::open(outside.buffer->copy());
    RC_ASSERT(reader.ok());
    const ReplayResult result = replay(std::move(*reader), fresh, replay_options);
    if (result.difference) RC_LOG() << result.difference->text << "\n";
    RC_ASSERT(result.equal);
    RC_ASSERT(result.complete);
    RC_ASSERT(again.bytes == outside.sent.bytes);
    RC_ASSERT(result.trace_hash == outside.sim.kernel().trace().hash());
    RC_CLASSIFY(outside.sent.bytes.size() > 3, "several connections answered");
    RC_CLASSIFY(outside.unblocked > 0, "a slow client caught up");
  }));
}
