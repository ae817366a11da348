// Any request that can be said, in any version: the cluster answers it or closes the connection, and
// neither is ever a finding or an answer that does not fit its version.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "sim/kafka/profiles/release_profile.h"
#include "sim/kafka/wire/schema_random.h"
#include "tests/unit/kafka_handlers/kafka_sim.h"

namespace wt::kafka {
namespace {

using test::KafkaSim;

cluster::ClusterOptions options_of(std::uint64_t seed) {
  cluster::ClusterOptions options;
  options.seed = seed;
  options.brokers = 3;
  options.auto_create_topics = seed % 2 == 0;
  return options;
}

// Points about half of a random request at what exists, so that it comes further than the first check.
class Aim {
 public:
  Aim(KafkaSim& sim, std::uint64_t seed) : sim_(sim), random_(seed) {
    const controller::ImagePtr image = sim.cluster.image();
    const controller::TopicState* topic = image->topic("t");
    if (topic != nullptr) topic_id_ = topic->topic_id;
  }
  void at(const schema::Table& table, void* object, Version version) {
    for (const schema::Field& field : table.all()) {
      if (!field.versions.contains(version)) continue;
      void* member = schema::member_of(field, object);
      void* value = field.optional == nullptr ? member : field.optional->get(member);
      if (value == nullptr) continue;
      if (field.array == nullptr) {
        one(field, value, version);
        continue;
      }
      auto* first = static_cast<std::uint8_t*>(field.array->data(value));
      for (std::size_t i = 0; i < field.array->size(value); ++i) {
        one(field, first + i * field.array->stride_bytes, version);
      }
    }
  }

 private:
  void one(const schema::Field& field, void* value, Version version) {
    const std::string_view name = field.name;
    const bool patience = name == "max_wait_ms" || name == "timeout_ms" || name == "timeout";
    if (field.type == schema::FieldType::kStruct) {
      at(*field.element, value, version);
    } else if (patience) {
      schema::as<std::int32_t>(value) %= 1000;
    } else if (random_.below(2) == 0) {
      aimed(field, value, name);
    }
  }
  void aimed(const schema::Field& field, void* value, std::string_view name) {
    switch (field.type) {
      case schema::FieldType::kString:
        if (name != "client_software_name")
          schema::as<std::string>(value) = random_.below(4) == 0 ? "1" : "t";
        break;
      case schema::FieldType::kUuid:
        schema::as<Uuid>(value) = topic_id_;
        break;
      case schema::FieldType::kInt8:
        if (name.find("type") != std::string_view::npos)
          schema::as<std::int8_t>(value) = kTypes[random_.below(6)];
        break;
      case schema::FieldType::kInt16:
        if (name == "acks") schema::store_16(value, static_cast<std::uint16_t>(random_.below(3) - 1));
        if (name == "replication_factor") schema::store_16(value, 1);
        break;
      case schema::FieldType::kInt32:
        schema::as<std::int32_t>(value) = static_cast<std::int32_t>(random_.below(4)) - 1;
        break;
      case schema::FieldType::kInt64:
        schema::as<std::int64_t>(value) = static_cast<std::int64_t>(random_.below(10)) - 6;
        break;
      case schema::FieldType::kRecords:
        schema::as<SliceList>(value) = SliceList{sim_.batch("v")};
        break;
      default:
        break;
    }
  }

  static constexpr std::int8_t kTypes[] = {2, 4, 8, 16, 32, 1};
  KafkaSim& sim_;
  RandomStream random_;
  Uuid topic_id_;
};

class Client {
 public:
  explicit Client(std::uint64_t seed) : sim(options_of(seed)) {
    sim.create_topic("t", 2);
    connections.resize(3);
    for (std::int32_t broker = 1; broker <= 3; ++broker) connections[broker - 1] = sim.connect(broker);
  }
  // Sends one random request, and judges what comes back.
  void send(const ApiSpec& api, Version version, std::uint64_t seed) {
    AnyMessage request(*api.request);
    schema::randomize(*api.request, request.object(), version, api.is_flexible(version), seed);
    Aim(sim, seed).at(*api.request, request.object(), version);
    const std::size_t broker = seed % connections.size();
    KafkaSim::Connection& connection = connections[broker];
    if (sim.send(connection, api, version, request.object()) < 0) return;
    const auto frame = sim.receive(connection, 5 * kSecond_ns);
    RC_ASSERT(sim.finding() == "");
    ++sent;
    if (frame) {
      ++answered;
      const auto response = decode_response(api, version, *frame);
      if (!response.ok())
        RC_FAIL(std::string(api.name) + " version " + std::to_string(version) + ": " +
                message_of(response.status()));
    }
    if (connection.closed) connection = sim.connect(static_cast<std::int32_t>(broker) + 1);
    for (const RefusedRequest& refused :
         sim.cluster.kafka_service(static_cast<std::int32_t>(broker) + 1)->refusals()) {
      if (refused.why.starts_with("kafka.refused.unencodable") || refused.why == "kafka.refused.body")
        RC_FAIL(refused.why);
    }
  }
  static std::string message_of(const absl::Status& status) { return std::string(status.message()); }

  KafkaSim sim;
  std::vector<KafkaSim::Connection> connections;
  int sent = 0;
  int answered = 0;
};

void send_every_version(Client& client, std::uint64_t seed) {
  for (const ApiSpec& api : all_apis()) {
    for (Version version = api.versions().first; version <= api.versions().last; ++version) {
      if (!is_supported(default_profile(), api.key, version)) continue;
      client.send(
          api, version,
          fold64(seed, static_cast<std::uint64_t>(api.key) << 16 | static_cast<std::uint16_t>(version)));
      if (client.sim.cluster.image()->topic("t") == nullptr) client.sim.create_topic("t", 2);
    }
  }
}

}  // namespace

TEST_CASE("every API takes random requests of every version without a finding") {
  const bool ok = rc::check("requests", [](std::uint64_t seed) {
    Client client(seed);
    send_every_version(client, seed);
    // The rest was refused by closing, or wanted no answer.
    RC_ASSERT(client.answered * 10 > client.sent * 9);
  });
  CHECK(ok);
}

TEST_CASE("a fault rule can answer any request of any version with an error") {
  const bool ok = rc::check("errors", [](std::uint64_t seed) {
    Client client(seed);
    FaultRule rule;
    rule.point = seed % 2 == 0 ? "kafka.request.received" : "kafka.request.answered";
    rule.action = seed % 2 == 0 ? FaultAction::answer : FaultAction::answer_after;
    rule.error_code = 7;
    RC_ASSERT(client.sim.cluster.rules().add(rule).ok());
    send_every_version(client, seed);
  });
  CHECK(ok);
}

}  // namespace wt::kafka
