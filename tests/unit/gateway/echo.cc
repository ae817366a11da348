#include "tests/unit/gateway/echo.h"

#include <charconv>

namespace wt::harness {

std::uint64_t EchoSimulated::outside_counter = 0;

std::string framed(std::string_view text) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(text.size() >> shift);
  return bytes + std::string(text);
}

namespace {

using StreamPtr = std::shared_ptr<ByteStream>;

std::int64_t number_in(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

void answer(ByteStream& stream, std::string_view text) {
  SliceList bytes;
  bytes.push_back(Slice::copy_of(framed(text)));
  stream.write(std::move(bytes));
}

Task<void> answer_later(Process& process, StreamPtr stream, DurationNs delay_ns, std::string text) {
  co_await process.sleep(delay_ns);
  answer(*stream, text);
}

Task<void> answer_big(Process& process, ByteStream& stream, std::int64_t kibibytes) {
  for (std::int64_t i = 0; i < kibibytes; ++i) {
    SliceList bytes;
    bytes.push_back(Slice::copy_of(std::string(1024, static_cast<char>('a' + i % 26))));
    stream.write(std::move(bytes));
    if (stream.congested()) co_await stream.drained(process);
  }
}

// False: the connection is to end.
Task<bool> handle(Process& process, EchoSimulated& sim, StreamPtr stream, std::string request) {
  ++sim.requests;
  process.trace("echo.request"_label, stream->id(), request.size());
  const char what = request.empty() ? 'e' : request[0];
  const std::int64_t number = request.empty() ? 0 : number_in(std::string_view(request).substr(1));
  const DurationNs delay_ns = from_ms(number);
  if (what == 'c' || what == 'r') {
    if (what == 'r') stream->reset();
    co_return false;
  }
  if (what == 'd' || what == 'g') co_await process.sleep(delay_ns);
  if (what == 's') co_await process.sleep(delay_ns, TimerKind::silence);
  if (what == 'p') co_await process.sleep(delay_ns, TimerKind::park, stream->id());
  if (what == 'b') {
    co_await answer_big(process, *stream, number);
    co_return true;
  }
  if (what == 't') process.spawn(answer_later(process, stream, delay_ns, request));
  if (what == 'i') WT_INVARIANT(request.empty(), "echo.asked", "somebody asked for it");
  if (what == 'x') request += std::to_string(process.random("echo.random"_label).below(1'000'000));
  if (what == 'n') request += std::to_string(++EchoSimulated::outside_counter);
  if (what == 'q') process.trace("echo.outside"_label, ++EchoSimulated::outside_counter);
  if (what != 't' && what != 'g') answer(*stream, request);
  if (what == 'h') stream->shutdown_write();
  co_return true;
}

Task<void> session(Process& process, EchoSimulated& sim, StreamPtr stream) {
  std::string buffer;
  for (;;) {
    StatusOr<Slice> bytes = co_await stream->read(process);
    if (!bytes.ok() || bytes->empty()) break;
    buffer += bytes->text();
    while (buffer.size() >= 4) {
      std::size_t size_bytes = 0;
      for (int i = 0; i < 4; ++i)
        size_bytes = size_bytes << 8 | static_cast<std::uint8_t>(buffer[static_cast<std::size_t>(i)]);
      if (size_bytes > 1024 * 1024) co_return;
      if (buffer.size() < 4 + size_bytes) break;
      std::string request = buffer.substr(4, size_bytes);
      buffer.erase(0, 4 + size_bytes);
      sim.read_ahead_bytes[stream->id()] = buffer.size();
      const bool go_on = co_await handle(process, sim, stream, std::move(request));
      if (!go_on) co_return;
    }
  }
}

class EchoService final : public ProcessPart, public Acceptor {
 public:
  EchoService(Process& process, EchoSimulated& sim) : process_(process), sim_(sim) {}
  void on_accept(ByteStream stream) override {
    process_.spawn(session(process_, sim_, std::make_shared<ByteStream>(std::move(stream))));
  }

 private:
  Process& process_;
  EchoSimulated& sim_;
};

KernelOptions kernel_options(const EchoOptions& options) {
  KernelOptions kernel;
  kernel.seed = options.seed;
  kernel.epoch_ns = options.epoch_ns;
  kernel.checkpoint_steps = options.checkpoint_steps;
  return kernel;
}

LinkLatency latency(const EchoOptions& options) {
  LinkLatency latency;
  latency.base_ns = options.latency_ns;
  return latency;
}

StreamOptions stream_options(const EchoOptions& options) {
  StreamOptions streams;
  streams.window_bytes = options.window_bytes;
  return streams;
}

}  // namespace

EchoSimulated::EchoSimulated(const EchoOptions& options)
    : kernel_(kernel_options(options)),
      links_(kernel_, latency(options)),
      streams_(kernel_, links_, stream_options(options)),
      outside_(links_.add_node("outside")) {
  for (int i = 0; i < options.brokers; ++i) {
    brokers_.push_back({links_.add_node("broker-" + std::to_string(i)), 0});
    start_broker(brokers_.back());
  }
}

EchoSimulated::~EchoSimulated() = default;

void EchoSimulated::start_broker(Broker& broker) {
  Process& process = kernel_.create_process(std::string(links_.node_name(broker.node)));
  broker.process = process.id();
  links_.attach(broker.node, process);
  streams_.listen(broker.node, process, process.emplace<EchoService>(process, *this));
}

std::vector<ListenerSpec> EchoSimulated::listeners() {
  std::vector<ListenerSpec> specs;
  for (const Broker& broker : brokers_)
    specs.push_back({std::string(links_.node_name(broker.node)), broker.node});
  return specs;
}

bool EchoSimulated::listening(std::size_t listener) {
  return kernel_.process(brokers_[listener].process) != nullptr;
}

void EchoSimulated::set_address(std::size_t listener, std::string_view host, std::uint16_t port) {
  addresses.resize(std::max(addresses.size(), listener + 1));
  addresses[listener] = std::string(host) + ":" + std::to_string(port);
}

std::string EchoSimulated::execute(std::string_view request) {
  const std::size_t space = std::min(request.find(' '), request.size());
  const std::string_view word = request.substr(0, space);
  const auto number =
      static_cast<std::size_t>(number_in(request.substr(std::min(space + 1, request.size()))));
  if (word == "count") return std::to_string(requests);
  if (word == "break") WT_INVARIANT(false, "echo.broken", "asked for");
  if (word == "throw") throw std::runtime_error("asked for");
  if (word == "add") {
    brokers_.push_back({links_.add_node("broker-" + std::to_string(brokers_.size())), 0});
    start_broker(brokers_.back());
    return "added";
  }
  if (number >= brokers_.size()) return "no such broker";
  if (word == "crash") {
    kernel_.kill(brokers_[number].process);
    return "crashed";
  }
  if (word == "restart") {
    if (listening(number)) return "runs";
    start_broker(brokers_[number]);
    return "started";
  }
  return "unknown call";
}

}  // namespace wt::harness
