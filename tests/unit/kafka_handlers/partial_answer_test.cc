// Requests of every API and version, filled at random: taken apart by a rule, nothing is lost, and every
// answer can be sent.
#include "sim/kafka/handlers/partial_answer.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/kafka/handlers/request_names.h"
#include "sim/kafka/wire/api.h"
#include "sim/kafka/wire/schema_random.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

using namespace wt;
using namespace wt::kafka;

namespace {

using Named = std::pair<std::string, std::int32_t>;

std::vector<Named> named(const FaultNames& names) {
  std::vector<Named> all;
  for (const auto& [topic, partition] : names.partitions) all.emplace_back(topic, partition);
  return all;
}

struct Rig {
  Rig() {
    cluster::ClusterOptions options;
    options.brokers = 1;
    sim.emplace(options);
    process = &sim->cluster.kernel().create_process("test");
  }
  RequestContext context(const Request& request) {
    return RequestContext{
        *process, *sim->cluster.broker(1), *sim->cluster.kafka_service(1), connection, request, "test"};
  }
  std::optional<test::KafkaSim> sim;
  Process* process = nullptr;
  ConnectionState connection;
};

// Fetch and Metadata have ways of their own, tested with the rules.
bool is_special(std::int16_t key) {
  return key == 1 || key == 3;
}

void check_parts(Rig& rig, const Request& request, int& parted) {
  const RequestContext context = rig.context(request);
  const FaultNames names = names_in(context);
  if (names.partitions.empty()) return;
  FaultDecision fault;
  fault.action = FaultAction::answer;
  fault.rule = 1;
  fault.error_code = 6;
  fault.topic = names.partitions.front().topic;
  if (names.partitions.front().partition >= 0) fault.partition = names.partitions.front().partition;
  if (!is_partial(context, fault)) return;
  ++parted;
  const std::optional<Request> rest = without_faulty(context, fault);
  if (!is_special(request.api->key)) {
    std::vector<Named> wanted = named(names);
    std::erase_if(wanted, [&](const Named& one) {
      return one.first == fault.topic && (!fault.partition || one.second == *fault.partition);
    });
    // A topic without a name, or with an id that nobody knows, is left to its handler.
    CHECK((rest.has_value() || wanted.empty()));
    if (rest) CHECK(named(names_in(rig.context(*rest))) == wanted);
  }
  Reply served;
  if (rest) served = error_reply(rig.context(*rest), ErrorCode::kNone);
  if (served.kind != Reply::Kind::answer) return;
  const Reply reply = with_errors(context, fault, names, std::move(served));
  if (reply.kind != Reply::Kind::answer) return;
  CHECK(encode_response(*request.api, request.version(), 1, reply.body.object()).ok());
}

}  // namespace

TEST_CASE("a request of any API is answered in part, and the rest is what was asked") {
  Rig rig;
  int parted = 0;
  for (const ApiSpec& api : all_apis()) {
    for (Version version = api.versions().first; version <= api.versions().last; ++version) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        INFO(api.name << " version " << version << " seed " << seed);
        Request request;
        request.api = &api;
        request.header.request_api_key = api.key;
        request.header.request_api_version = version;
        request.body = AnyMessage(*api.request);
        schema::randomize(*api.request, request.body.object(), version, api.is_flexible(version), seed);
        check_parts(rig, request, parted);
      }
    }
  }
  CHECK(parted > 200);
}
