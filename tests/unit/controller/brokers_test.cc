#include <catch2/catch.hpp>

#include "tests/unit/controller/cluster.h"

using namespace wt;
using namespace wt::controller;

namespace {

RegisterBroker registration(BrokerId broker, std::uint64_t incarnation) {
  RegisterBroker request;
  request.cluster_id = ControllerOptions().cluster_id;
  request.broker = broker;
  request.incarnation = Uuid::from_halves(incarnation, 1);
  request.profile = {{"log.kind", "shared"}, {"storage.profile", "object"}};
  return request;
}

}  // namespace

TEST_CASE("brokers register, agree and are unfenced without any time passing", "[controller]") {
  TestCluster cluster(3);
  CHECK(cluster.image().active_brokers() == std::vector<BrokerId>{1, 2, 3});
  CHECK(cluster.controller().activation().state == ActivationState::active);
  CHECK(cluster.kernel().now() == cluster.kernel().epoch());
  for (BrokerId id = 1; id <= 3; ++id) {
    CHECK(cluster.broker(id).ready());
    CHECK(cluster.broker(id).image()->digest() == cluster.image().digest());
    CHECK(cluster.image().broker(id)->broker_epoch == cluster.broker(id).broker_epoch());
  }
  CHECK(cluster.image().endpoint(2, "PLAINTEXT")->port == 9093);
  CHECK(cluster.image().endpoint(2, "SSL") == nullptr);
  CHECK(cluster.image().features().at("transaction.version") == 2);
}

TEST_CASE("a silent broker is fenced when its session ends", "[controller]") {
  TestCluster cluster(3);
  const auto topic = cluster.create("t", 1, 3);
  const BrokerId leader = cluster.image().partition("t", 0)->leader;
  cluster.crash_broker(leader, true);
  cluster.advance(6 * kSecond_ns);
  CHECK(cluster.image().partition("t", 0)->leader == leader);
  cluster.advance(4 * kSecond_ns);
  const PartitionState& after = *cluster.image().partition("t", 0);
  CHECK(cluster.image().broker(leader)->fenced);
  CHECK(after.leader != leader);
  CHECK(after.leader_epoch == 1);
  CHECK(after.partition_epoch == 1);
  CHECK_FALSE(after.in_isr(leader));
  CHECK(after.replicas.size() == 3);
}

TEST_CASE("a crash that is noticed moves leaders at once", "[controller]") {
  TestCluster cluster(3);
  cluster.create("t", 1, 3);
  const auto replicas = cluster.image().partition("t", 0)->replicas;
  cluster.crash_broker(replicas[0]);
  cluster.settle();
  CHECK(cluster.image().partition("t", 0)->leader == replicas[1]);

  SECTION("without any live replica there is no leader, and the epoch goes up") {
    cluster.crash_broker(replicas[1]);
    cluster.crash_broker(replicas[2]);
    cluster.settle();
    const PartitionState& none = *cluster.image().partition("t", 0);
    CHECK(none.leader == kNoBroker);
    CHECK(none.isr.empty());
    CHECK(none.leader_epoch == 3);
    cluster.start_broker(replicas[2]);
    cluster.settle();
    const PartitionState& again = *cluster.image().partition("t", 0);
    CHECK(again.leader == replicas[2]);
    CHECK(again.leader_epoch == 4);
    CHECK(again.isr == std::vector<BrokerId>{replicas[2]});
  }
  SECTION("a broker that comes back joins the ISR and leads only after the rebalance") {
    cluster.start_broker(replicas[0]);
    cluster.settle();
    CHECK(cluster.image().partition("t", 0)->in_isr(replicas[0]));
    CHECK(cluster.image().partition("t", 0)->leader == replicas[1]);
    cluster.advance(301 * kSecond_ns);
    CHECK(cluster.image().partition("t", 0)->leader == replicas[0]);
    CHECK(cluster.image().partition("t", 0)->leader_epoch == 2);
  }
  SECTION("what the dead process had sent does not bring it back") {
    BrokerHeartbeat late;
    late.broker = replicas[0];
    late.broker_epoch = cluster.image().broker(replicas[0])->broker_epoch;
    late.metadata_offset = cluster.image().end_offset();
    CHECK(cluster.ask(late)->error.code == ErrorCode::stale_broker_epoch);
    CHECK(cluster.image().broker(replicas[0])->fenced);
  }
}

TEST_CASE("registrations are refused as a real controller refuses them", "[controller]") {
  TestCluster cluster(1);
  SECTION("another cluster") {
    RegisterBroker request = registration(2, 7);
    request.cluster_id = "other";
    const auto answer = cluster.ask(request);
    CHECK(answer->error.code == ErrorCode::inconsistent_cluster_id);
    CHECK(answer->error.message == "Expected cluster ID wavetank-cluster-00000, but got cluster ID other");
  }
  SECTION("a second process with the same id while the first one lives") {
    const auto answer = cluster.ask(registration(1, 7));
    CHECK(answer->error.code == ErrorCode::duplicate_broker_registration);
    CHECK(cluster.broker(1).ready());
  }
  SECTION("the same process again: the registration stands") {
    cluster.ask(registration(2, 7));
    const auto end = cluster.image().end_offset();
    const auto epoch = cluster.image().broker(2)->broker_epoch;
    CHECK(cluster.ask(registration(2, 7))->broker_epoch == epoch);
    CHECK(cluster.image().end_offset() == end);
  }
  SECTION(
      "the same process with other facts: a new registration, and it leads nothing until it is unfenced") {
    RegisterBroker request = registration(2, 7);
    const auto epoch = cluster.ask(request)->broker_epoch;
    BrokerHeartbeat beat;
    beat.broker = 2;
    beat.broker_epoch = epoch;
    beat.metadata_offset = epoch + 1;
    CHECK_FALSE(cluster.ask(beat)->is_fenced);
    CreateTopics create;
    create.topics.emplace_back();
    create.topics[0].name = "t";
    create.topics[0].assignments = {{0, {2, 1}}};
    REQUIRE(cluster.create(create).error.ok());
    request.rack = "r";
    CHECK(cluster.ask(request)->broker_epoch > epoch);
    CHECK(cluster.image().partition("t", 0)->leader == 1);
    CHECK(cluster.image().partition("t", 0)->isr == std::vector<BrokerId>{1});
  }
  SECTION("a restart after the session has ended gives a new epoch") {
    cluster.ask(registration(2, 7));
    const auto epoch = cluster.image().broker(2)->broker_epoch;
    cluster.advance(10 * kSecond_ns);
    CHECK(cluster.ask(registration(2, 8))->broker_epoch > epoch);
    BrokerHeartbeat old;
    old.broker = 2;
    old.broker_epoch = epoch;
    CHECK(cluster.ask(old)->error.code == ErrorCode::stale_broker_epoch);
  }
}

TEST_CASE("heartbeats say who is caught up, fenced, and may leave", "[controller]") {
  TestCluster cluster(1);
  const auto epoch = cluster.ask(registration(2, 7))->broker_epoch;
  BrokerHeartbeat beat;
  beat.broker = 2;
  beat.broker_epoch = epoch;
  beat.metadata_offset = epoch;  // its own registration is not in yet
  auto answer = cluster.ask(beat);
  CHECK_FALSE(answer->is_caught_up);
  CHECK(answer->is_fenced);
  beat.metadata_offset = epoch + 1;
  answer = cluster.ask(beat);
  CHECK(answer->is_caught_up);
  CHECK_FALSE(answer->is_fenced);
  beat.want_fence = true;
  CHECK(cluster.ask(beat)->is_fenced);
  CHECK_FALSE(cluster.image().is_active(2));
}

TEST_CASE("a controlled shutdown moves the leaders before the broker may go", "[controller]") {
  TestCluster cluster(2);
  cluster.create("a", 4, 2);
  bool left = false;
  struct Leave {
    static Task<void> run(MetadataFollower& follower, bool& done) {
      co_await follower.shut_down();
      done = true;
    }
  };
  Process& process = cluster.kernel().create_process("operator");
  process.spawn(Leave::run(cluster.broker(1), left));
  cluster.settle();
  CHECK(left);
  for (std::int32_t i = 0; i < 4; ++i) {
    CHECK(cluster.image().partition("a", i)->leader == 2);
    CHECK(cluster.image().partition("a", i)->isr == std::vector<BrokerId>{2});
  }
  CHECK(cluster.image().broker(1)->shutting_down);
  CHECK(cluster.image().active_brokers() == std::vector<BrokerId>{2});
  cluster.crash_broker(1);
  cluster.start_broker(1);
  cluster.settle();
  CHECK(cluster.image().active_brokers() == std::vector<BrokerId>{1, 2});
}

TEST_CASE("a broker that is told of a stale epoch registers again", "[controller]") {
  TestCluster cluster(2);
  const auto before = cluster.broker(1).broker_epoch();
  cluster.controller().broker_died(1);  // wrongly
  cluster.settle();
  CHECK_FALSE(cluster.image().is_active(1));
  cluster.advance(3 * kSecond_ns);
  CHECK(cluster.image().is_active(1));
  CHECK(cluster.broker(1).broker_epoch() > before);
}

TEST_CASE("an unregistered broker never leads", "[controller]") {
  TestCluster cluster(2);
  cluster.create("t", 1, 2);
  const BrokerId leader = cluster.image().partition("t", 0)->leader;
  cluster.crash_broker(leader);
  UnregisterBroker gone;
  gone.broker = leader;
  CHECK(cluster.ask(gone)->error.ok());
  CHECK(cluster.image().broker(leader) == nullptr);
  CHECK(cluster.image().partition("t", 0)->leader == 3 - leader);
  const auto again = cluster.ask(gone);
  CHECK(again->error.code == ErrorCode::broker_id_not_registered);
}

TEST_CASE("producer ids come in blocks that are never given twice", "[controller]") {
  TestCluster cluster(2);
  AllocateProducerIds request;
  request.broker = 1;
  request.broker_epoch = cluster.broker(1).broker_epoch();
  CHECK(cluster.ask(request)->first_producer_id == 0);
  CHECK(cluster.ask(request)->first_producer_id == 1000);
  cluster.restart_controller();
  const auto third = cluster.ask(request);
  CHECK(third->first_producer_id == 2000);
  CHECK(third->count == 1000);
  request.broker_epoch += 5;
  CHECK(cluster.ask(request)->error.code == ErrorCode::stale_broker_epoch);
}

TEST_CASE("the barrier stays closed while brokers disagree", "[controller][activation]") {
  TestCluster::Options options;
  options.controller.activation_brokers = 2;
  options.profiles[2] = {{"log.kind", "shared"}, {"storage.profile", "ledger"}};
  TestCluster cluster(2, options);
  CHECK(cluster.image().active_brokers().empty());
  const ActivationReport report = cluster.controller().activation();
  CHECK(report.state == ActivationState::mismatch);
  REQUIRE(report.mismatches.size() == 1);
  CHECK(report.mismatches[0] == ProfileMismatch{2, "storage.profile", "object", "ledger"});
  CHECK(report.text() == "brokers disagree; broker 2: storage.profile is 'ledger', expected 'object'");
  CHECK(cluster.create("t").error.code == ErrorCode::invalid_replication_factor);

  SECTION("it opens when the odd one comes back with the common profile") {
    cluster.crash_broker(2);
    cluster.set_profile(2, {{"log.kind", "shared"}, {"storage.profile", "object"}});
    cluster.start_broker(2);
    cluster.settle();
    CHECK(cluster.image().active_brokers() == std::vector<BrokerId>{1, 2});
    REQUIRE(cluster.image().activation() != nullptr);
    CHECK(cluster.image().activation()->brokers == std::vector<BrokerId>{1, 2});
  }
}

TEST_CASE("a late comer with another profile stays fenced and is named", "[controller][activation]") {
  TestCluster::Options options;
  options.profiles[3] = {{"log.kind", "shared"}};
  TestCluster cluster(2, options);
  cluster.start_broker(3);
  cluster.settle();
  CHECK(cluster.image().active_brokers() == std::vector<BrokerId>{1, 2});
  CHECK(cluster.broker(3).registered());
  CHECK_FALSE(cluster.broker(3).ready());
  const ActivationReport report = cluster.controller().activation();
  CHECK(report.state == ActivationState::active);
  REQUIRE(report.mismatches.size() == 1);
  CHECK(report.mismatches[0].broker == 3);
  CHECK(report.mismatches[0].field == "storage.profile");
}

TEST_CASE("while activation is held no broker is ready, and a broker that goes meanwhile is not counted",
          "[controller][activation]") {
  TestCluster::Options options;
  options.controller.activation_brokers = 2;
  TestCluster cluster(0, options);
  FaultRule rule;
  rule.action = FaultAction::hold;
  rule.count = 1;
  SECTION("at the snapshot") {
    rule.point = "controller.activation.snapshot";
    options.controller.activation_brokers = 3;
    TestCluster closed(0, options);
    const RuleId held = *closed.rules().add(rule);
    for (BrokerId broker = 1; broker <= 3; ++broker) closed.start_broker(broker);
    closed.settle();
    CHECK(closed.rules().state(held)->holding == 1);
    for (BrokerId broker = 1; broker <= 3; ++broker) CHECK_FALSE(closed.broker(broker).ready());
    closed.crash_broker(2);
    closed.rules().remove(held);
    closed.settle();
    CHECK(closed.image().activation() == nullptr);
    closed.start_broker(2);
    closed.settle();
    CHECK(closed.image().active_brokers() == std::vector<BrokerId>{1, 2, 3});
  }
  SECTION("at its writing") {
    rule.point = "controller.record.append";
    rule.skip = 2;  // after two registrations
    const RuleId id = *cluster.rules().add(rule);
    cluster.start_broker(1);
    cluster.start_broker(2);
    cluster.settle();
    CHECK(cluster.rules().state(id)->holding == 1);
    cluster.advance(3 * kSecond_ns);
    CHECK_FALSE(cluster.broker(1).ready());
    CHECK_FALSE(cluster.broker(2).ready());
    cluster.rules().remove(id);
    cluster.advance(3 * kSecond_ns);
    CHECK(cluster.broker(1).ready());
    CHECK(cluster.broker(2).ready());
  }
}

TEST_CASE("the activation record is written once whatever happens to its writing",
          "[controller][activation]") {
  const FaultAction action = GENERATE(FaultAction::crash, FaultAction::lose_answer, FaultAction::refuse);
  const std::string point =
      GENERATE(as<std::string>(), "controller.record.append", "controller.record.applied");
  const std::uint64_t skip = GENERATE(0U, 1U, 2U);
  if (point == "controller.record.applied" && action != FaultAction::crash) return;
  TestCluster cluster(0);
  FaultRule rule;
  rule.point = point;
  rule.action = action;
  rule.skip = skip;
  rule.count = 1;
  const RuleId id = *cluster.rules().add(rule);
  cluster.start_broker(1);
  cluster.settle();
  CHECK(cluster.controller_alive() == (action != FaultAction::crash));
  if (!cluster.controller_alive()) cluster.start_controller();
  cluster.advance(20 * kSecond_ns);
  CHECK(cluster.rules().state(id)->hits == 1);
  int activations = 0;
  for (const BatchPtr& batch : cluster.log().batches()) {
    for (const Record& record : batch->records)
      activations += std::holds_alternative<ActivationRecord>(record);
  }
  CHECK(activations == 1);
  CHECK(cluster.image().active_brokers() == std::vector<BrokerId>{1});
}

TEST_CASE("a heartbeat that changes nothing is answered at once, but not before what came earlier",
          "[controller]") {
  TestCluster cluster(2);
  BrokerHeartbeat beat;
  beat.broker = 1;
  beat.broker_epoch = cluster.broker(1).broker_epoch();
  beat.metadata_offset = cluster.image().end_offset();
  const auto answer = cluster.ask(beat);
  REQUIRE(answer);
  CHECK(answer->error.ok());
  CHECK_FALSE(answer->is_fenced);
  CHECK(answer->controller_epoch == cluster.controller().epoch());

  // The fencing of broker 1 is being written when its heartbeat comes.
  FaultRule rule;
  rule.point = "controller.record.append";
  rule.action = FaultAction::delay;
  rule.delay_ns = 100 * kMillisecond_ns;
  rule.count = 1;
  REQUIRE(cluster.rules().add(rule).ok());
  beat.want_fence = true;
  const TimeNs before_ns = cluster.kernel().now();
  const auto fenced = cluster.ask(beat);
  REQUIRE(fenced);
  CHECK(fenced->is_fenced);
  CHECK(cluster.kernel().now() == before_ns + 100 * kMillisecond_ns);

  CreateTopics create;
  create.topics.emplace_back();
  create.topics[0].name = "t";
  create.topics[0].partitions = 1;
  REQUIRE(cluster.rules().add(rule).ok());
  const MetadataOffset end_before = cluster.image().end_offset();
  cluster.post(create);
  beat.want_fence = false;
  beat.broker = 2;
  beat.broker_epoch = cluster.broker(2).broker_epoch();
  beat.metadata_offset = end_before;
  REQUIRE(cluster.ask(beat));
  CHECK(cluster.image().end_offset() > end_before);
  CHECK(cluster.image().topic("t") != nullptr);
}
