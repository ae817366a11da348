// Any bytes on connections to a broker in the simulation: nothing that a client sends may be a finding,
// a crash, or felt by another connection.
//
// The input is a list of pieces: [0] what to do and on which of two connections, [1] size, the bytes.
//   0: the bytes as they are; 1: the bytes as a frame; 2: a frame whose header is valid, [0] API, [1]
//   version, rest the body; 3: some time passes; 4: a new connection
#include <cstdlib>

#include "sim/formats/byte_writer.h"
#include "sim/kafka/wire/messages/api_versions.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace {

using namespace wt;
using test::KafkaSim;

void require(bool condition) {
  if (!condition) std::abort();
}

cluster::ClusterOptions one_broker() {
  cluster::ClusterOptions options;
  options.brokers = 1;
  options.trace_ring_records = 64;
  return options;
}

Slice frame_of(std::span<const std::uint8_t> body) {
  ByteWriter out;
  out.i32(static_cast<std::int32_t>(body.size()));
  for (const std::uint8_t byte : body) out.u8(byte);
  return Slice::copy_of(out.take());
}

Slice request_of(std::span<const std::uint8_t> bytes) {
  const auto apis = kafka::all_apis();
  const kafka::ApiSpec& api = apis[bytes[0] % apis.size()];
  const int span = api.versions().last - api.versions().first + 1;
  const auto version = static_cast<kafka::Version>(api.versions().first + bytes[1] % span);
  ByteWriter body;
  body.i16(api.key);
  body.i16(version);
  body.i32(1);
  body.i16(-1);
  if (api.is_flexible(version)) body.u8(0);
  for (const std::uint8_t byte : bytes.subspan(2)) body.u8(byte);
  const std::vector<std::uint8_t> whole = body.take();
  return frame_of(whole);
}

void check_bystander(KafkaSim& sim, KafkaSim::Connection& bystander) {
  const auto answer =
      sim.call<kafka::ApiVersionsResponse>(bystander, kafka::kApiVersionsKey, 0, kafka::ApiVersionsRequest());
  require(answer.has_value());
  require(answer->error_code == kafka::ErrorCode::kNone);
  require(sim.finding().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  KafkaSim sim(one_broker());
  sim.create_topic("t", 2);
  KafkaSim::Connection bystander = sim.connect(1);
  KafkaSim::Connection connections[2] = {sim.connect(1), sim.connect(1)};
  std::span<const std::uint8_t> rest(data, size_bytes);
  while (rest.size() >= 2) {
    const std::uint8_t what = rest[0];
    const std::size_t piece_bytes = std::min<std::size_t>(rest[1], rest.size() - 2);
    const auto piece = rest.subspan(2, piece_bytes);
    rest = rest.subspan(2 + piece_bytes);
    KafkaSim::Connection& connection = connections[what % 2];
    sim.take(connection);
    if (connection.closed) connection = sim.connect(1);
    switch (what / 2 % 5) {
      case 0:
        sim.send_bytes(connection, Slice::copy_of(piece));
        break;
      case 1:
        sim.send_bytes(connection, frame_of(piece));
        break;
      case 2:
        if (piece.size() >= 2) sim.send_bytes(connection, request_of(piece));
        break;
      case 3:
        sim.run(static_cast<DurationNs>(piece_bytes) * kMillisecond_ns);
        break;
      default:
        connection = sim.connect(1);
    }
    sim.cluster.kernel().run_ready();
    require(sim.finding().empty());
  }
  sim.run(kSecond_ns);
  check_bystander(sim, bystander);
  return 0;
}
