#include <catch2/catch.hpp>

#include "tests/unit/controller/cluster.h"

using namespace wt;
using namespace wt::controller;

namespace {

FaultRule rule(const std::string& point, FaultAction action, std::int64_t count = 1) {
  FaultRule r;
  r.point = point;
  r.action = action;
  r.count = count;
  return r;
}

struct Recorder : MetadataListener {
  std::vector<std::pair<MetadataOffset, MetadataOffset>> steps;
  std::vector<bool> fenced;
  std::function<void(const MetadataImage&, const MetadataImage&)> look;
  void on_metadata(const ImagePtr& old_image, const ImagePtr& new_image, const RecordBatch& batch) override {
    steps.emplace_back(old_image->end_offset(), new_image->end_offset());
    CHECK(batch.base_offset == old_image->end_offset());
    if (look) look(*old_image, *new_image);
  }
  void on_fenced(bool now) override { fenced.push_back(now); }
};

}  // namespace

TEST_CASE("a controller that starts again knows what the old one knew", "[controller][log]") {
  TestCluster cluster(3);
  cluster.create("a", 3, 2, {{"retention.ms", "5"}});
  cluster.create("b.c", 1, 3);
  cluster.crash_broker(2);
  cluster.settle();
  DeleteTopics gone;
  gone.topics = {{"a", Uuid()}};
  cluster.ask(gone);
  const auto digest = cluster.image().digest();
  const auto epoch = cluster.controller().epoch();
  cluster.restart_controller();
  CHECK(cluster.image().digest() == digest);
  CHECK(cluster.controller().epoch() == epoch + 1);
  CHECK(cluster.image().activation() != nullptr);
  CHECK(cluster.kernel().now() == cluster.kernel().epoch());

  // Sessions start anew: nobody is fenced too early, the silent broker is fenced in the end.
  cluster.crash_broker(3, true);
  cluster.advance(8 * kSecond_ns);
  CHECK(cluster.image().is_active(3));
  cluster.advance(3 * kSecond_ns);
  CHECK_FALSE(cluster.image().is_active(3));
  CHECK(cluster.image().is_active(1));
}

TEST_CASE("a lost or refused append is sent until it is in, once", "[controller][log]") {
  TestCluster cluster(1);
  const FaultAction action =
      GENERATE(FaultAction::lose_answer, FaultAction::lose_request, FaultAction::refuse);
  const RuleId id = *cluster.rules().add(rule("controller.record.append", action, 3));
  const auto result = cluster.create("t");
  CHECK(result.error.ok());
  CHECK(cluster.rules().state(id)->hits == 3);
  int topics = 0;
  for (const BatchPtr& batch : cluster.log().batches()) {
    for (const Record& record : batch->records) topics += std::holds_alternative<TopicRecord>(record);
  }
  CHECK(topics == 1);
  CHECK(cluster.image().end_offset() == cluster.log().end_offset());
  CHECK(cluster.broker(1).image()->topic("t") != nullptr);
}

TEST_CASE("a crash between append and answer: the topic exists, the client does not know",
          "[controller][log]") {
  TestCluster cluster(1);
  REQUIRE(cluster.rules().add(rule("controller.record.applied", FaultAction::crash)).ok());
  CreateTopics request;
  request.topics.emplace_back();
  request.topics[0].name = "t";
  CHECK_FALSE(cluster.ask(request));
  CHECK(cluster.last_status().code() == StatusCode::kDeadlineExceeded);
  cluster.restart_controller();
  CHECK(cluster.create("t").error.code == ErrorCode::topic_already_exists);
}

TEST_CASE("a writer that was replaced writes nothing and starts over", "[controller][log]") {
  TestCluster cluster(1);
  const auto epoch = cluster.controller().epoch();
  // Another controller, cut off meanwhile, takes the log with a record of its own.
  Message<ClaimLog> claim((ClaimLog()));
  const auto claimed = cluster.log().execute(0, claim);
  REQUIRE(claimed.ok());
  auto batch = std::make_shared<RecordBatch>();
  batch->base_offset = cluster.log().end_offset();
  batch->controller_epoch = cluster.log().epoch();
  batch->records.push_back(FeatureLevelRecord{"other", 1});
  Message<AppendRecords> append((AppendRecords()));
  append.value.batch = batch;
  REQUIRE(cluster.log().execute(0, append).ok());

  CreateTopics request;
  request.topics.emplace_back();
  request.topics[0].name = "t";
  CHECK_FALSE(cluster.ask(request));
  CHECK(cluster.last_status().code() == StatusCode::kUnavailable);
  CHECK(cluster.controller().epoch() > epoch + 1);
  CHECK(cluster.image().features().contains("other"));
  CHECK(cluster.image().topic("t") == nullptr);
  CHECK(cluster.create("t").error.ok());
}

TEST_CASE("the log refuses old writers and wrong places", "[controller][log]") {
  MetadataLog log;
  const auto append = [&log](std::int64_t epoch, MetadataOffset base) {
    auto batch = std::make_shared<RecordBatch>();
    batch->base_offset = base;
    batch->controller_epoch = epoch;
    batch->records = {FeatureLevelRecord{"a", 1}, FeatureLevelRecord{"b", 1}};
    Message<AppendRecords> message((AppendRecords()));
    message.value.batch = batch;
    auto answer = log.execute(0, message);
    return message_cast<AppendRecords::Response>(answer->get())->value;
  };
  Message<ClaimLog> claim((ClaimLog()));
  REQUIRE(log.execute(0, claim).ok());
  CHECK(append(0, 0).outcome == AppendRecords::Outcome::fenced);
  CHECK(append(1, 1).outcome == AppendRecords::Outcome::wrong_offset);
  CHECK(append(1, 0).outcome == AppendRecords::Outcome::appended);
  CHECK(append(1, 0).outcome == AppendRecords::Outcome::wrong_offset);
  REQUIRE(log.execute(0, claim).ok());
  CHECK(append(1, 2).outcome == AppendRecords::Outcome::fenced);
  CHECK(append(2, 2).end_offset == 4);
  Message<ReadRecords> read((ReadRecords()));
  read.value.from_offset = 2;
  auto answer = log.execute(0, read);
  const auto& batches = message_cast<ReadRecords::Response>(answer->get())->value.batches;
  REQUIRE(batches.size() == 1);
  CHECK(batches[0]->base_offset == 2);
  Message<FetchMetadata> foreign((FetchMetadata()));
  CHECK(log.execute(0, foreign).status().code() == StatusCode::kInvalidArgument);
}

TEST_CASE("listeners see every batch with both images", "[controller][follower]") {
  TestCluster cluster(1);
  Recorder recorder;
  cluster.broker(1).add_listener(recorder);
  bool seen = false;
  recorder.look = [&seen](const MetadataImage& before, const MetadataImage& after) {
    if (after.topic("t") != nullptr && before.topic("t") == nullptr) {
      seen = true;
      CHECK(after.topic("t")->partition_count() == 3);
    }
  };
  cluster.create("t", 3);
  cluster.create("u");
  CHECK(seen);
  CHECK(recorder.steps.size() == 2);
  CHECK(recorder.steps[0].second == recorder.steps[1].first);
  cluster.controller().broker_died(1);
  cluster.advance(3 * kSecond_ns);
  CHECK(recorder.fenced == std::vector<bool>{true, false});
}

TEST_CASE("one broker can be kept on old metadata", "[controller][follower]") {
  TestCluster cluster(2);
  FaultRule hold = rule("broker.metadata.apply", FaultAction::hold, -1);
  hold.broker = 2;
  hold.topic = "t";
  const RuleId id = *cluster.rules().add(hold);
  cluster.create("s");
  cluster.create("t");
  CHECK(cluster.broker(1).image()->topic("t") != nullptr);
  CHECK(cluster.broker(2).image()->topic("s") != nullptr);
  CHECK(cluster.broker(2).image()->topic("t") == nullptr);
  cluster.advance(20 * kSecond_ns);
  CHECK(cluster.broker(2).image()->topic("t") == nullptr);
  CHECK(cluster.image().is_active(2));  // it still sends heartbeats
  cluster.rules().remove(id);
  cluster.advance(kSecond_ns);
  CHECK(cluster.broker(2).image()->digest() == cluster.image().digest());
}

TEST_CASE("an old image does not change when the new one does", "[controller][image]") {
  TestCluster cluster(2);
  cluster.create("t", 2, 2);
  const ImagePtr before = cluster.controller().image();
  const auto digest = before->digest();
  cluster.crash_broker(1);
  for (int i = 0; i < 200; ++i) cluster.create("n" + std::to_string(i));
  CHECK(before->digest() == digest);
  CHECK(before->partition("t", 0)->isr.size() == 2);
  CHECK(cluster.image().partition("t", 0)->isr.size() == 1);
  CHECK(before->topic_count() == 1);
  CHECK(cluster.image().topic_count() == 201);
}

TEST_CASE("a poll is answered at the end of its wait", "[controller][follower]") {
  TestCluster cluster(0);
  FetchMetadata poll;
  poll.from_offset = cluster.image().end_offset();
  poll.max_wait_ns = 3 * kSecond_ns;
  const TimeNs start_ns = cluster.kernel().now();
  const auto empty = cluster.ask(poll);
  REQUIRE(empty);
  CHECK(empty->batches.empty());
  CHECK(cluster.kernel().now() == start_ns + 3 * kSecond_ns);
  poll.from_offset = 0;
  CHECK(cluster.ask(poll)->batches.size() == cluster.log().batches().size());
}

TEST_CASE("registrations and heartbeats that fail are sent again", "[controller][follower]") {
  TestCluster cluster(0);
  const std::string point = GENERATE(as<std::string>(), "controller.registration", "controller.heartbeat");
  const FaultAction action =
      GENERATE(FaultAction::lose_answer, FaultAction::lose_request, FaultAction::refuse);
  const RuleId id = *cluster.rules().add(rule(point, action, 2));
  cluster.start_broker(1);
  cluster.advance(20 * kSecond_ns);
  CHECK(cluster.rules().state(id)->hits == 2);
  CHECK(cluster.broker(1).ready());
  int registrations = 0;
  for (const BatchPtr& batch : cluster.log().batches()) {
    for (const Record& record : batch->records)
      registrations += std::holds_alternative<RegisterBrokerRecord>(record);
  }
  CHECK(registrations == 1);
}

TEST_CASE("a broker that cannot reach the controller is fenced, and comes back", "[controller][follower]") {
  TestCluster cluster(2);
  cluster.create("t", 1, 2);
  cluster.links().partition({cluster.broker_node(1)}, {cluster.controller_node()});
  cluster.advance(12 * kSecond_ns);
  CHECK_FALSE(cluster.image().is_active(1));
  CHECK(cluster.image().partition("t", 0)->leader == 2);
  cluster.links().heal();
  cluster.advance(10 * kSecond_ns);
  CHECK(cluster.image().is_active(1));
  CHECK(cluster.broker(1).image()->digest() == cluster.image().digest());
}

TEST_CASE("records as text", "[controller][records]") {
  PartitionChangeRecord change;
  change.topic_id = Uuid::from_halves(1, 2);
  change.isr = std::vector<BrokerId>{1, 2};
  change.leader_epoch = 3;
  change.partition_epoch = 4;
  CHECK(
      to_text(change) ==
      "PartitionChange topic=AAAAAAAAAAEAAAAAAAAAAg partition=0 replicas=- isr=[1,2] leader=- leader_epoch=3 "
      "partition_epoch=4");
  RegisterBrokerRecord registered;
  registered.broker = 1;
  registered.endpoints = {Endpoint{"PLAINTEXT", "127.0.0.1", 9092, "PLAINTEXT"}};
  registered.profile = {{"a", "b"}};
  CHECK(to_text(registered) ==
        "RegisterBroker broker=1 incarnation=AAAAAAAAAAAAAAAAAAAAAA broker_epoch=0 "
        "endpoints=[['PLAINTEXT','127.0.0.1',9092,'PLAINTEXT']] rack='' features=[] profile=['a','b'] "
        "fenced=1");
  CHECK(encoded_size(registered) > encoded_size(RemoveTopicRecord()));
  CHECK(record_digest(change) != record_digest(registered));
}
