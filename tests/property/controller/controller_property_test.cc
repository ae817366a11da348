// Random histories of a controller and its brokers: topics come, grow and go, brokers and the
// controller crash and return, answers get lost, time passes. What must always hold is checked after
// every step, and every history is run twice.
#include <rapidcheck.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/unit/controller/cluster.h"

using namespace wt;
using namespace wt::controller;

namespace {

constexpr int kBrokers = 4;

enum class Act {
  create,
  remove,
  grow,
  alter,
  crash_broker,
  crash_broker_silently,
  start_broker,
  say_died,
  crash_controller,
  start_controller,
  advance,
  move_leader,
  elect,
  lose_answers,
  crash_at,
  cut_link,
  heal,
  allocate,
  reassign,
  cancel_reassignment
};
constexpr int kActs = static_cast<int>(Act::cancel_reassignment) + 1;

struct Op {
  Act act = Act::create;
  int a = 0;
  int b = 0;
};
void showValue(const Op& op, std::ostream& os) {
  os << "{" << static_cast<int>(op.act) << "," << op.a << "," << op.b << "}";
}

// What the history must have led to, as far as a client knows it.
struct Model {
  std::map<std::string, int> topics;  // partitions of topics that are surely there
  std::set<std::string> unsure;       // the answer to the last change was lost
  std::set<Uuid> ids;                 // all topic ids seen
  std::map<std::pair<Uuid, int>, std::pair<std::int32_t, std::int32_t>> epochs;  // leader, partition
  std::map<std::pair<Uuid, int>, std::pair<std::int32_t, BrokerId>> leaders;     // of that leader epoch
  std::int64_t next_producer_id = 0;
  MetadataOffset end_offset = 0;
};

class History {
 public:
  explicit History(std::uint64_t seed) : cluster_(kBrokers, options(seed)) {}

  void run(const std::vector<Op>& ops) {
    for (const Op& op : ops) {
      step(op);
      check();
    }
    recover();
  }
  std::uint64_t hash() { return cluster_.kernel().trace().hash(); }

 private:
  static TestCluster::Options options(std::uint64_t seed) {
    TestCluster::Options o;
    o.seed = seed;
    o.ready.order = seed % 2 == 0 ? ReadyOrder::fifo : ReadyOrder::random;
    return o;
  }
  static std::string name(int a) { return "topic-" + std::to_string(a % 6); }
  BrokerId broker(int a) const { return 1 + a % kBrokers; }

  void step(const Op& op) {
    switch (op.act) {
      case Act::create:
        return create(op);
      case Act::remove:
        return remove(op);
      case Act::grow:
        return grow(op);
      case Act::alter:
        return alter(op);
      case Act::crash_broker:
      case Act::crash_broker_silently:
        if (cluster_.broker_alive(broker(op.a)))
          cluster_.crash_broker(broker(op.a), op.act == Act::crash_broker_silently);
        return cluster_.settle();
      case Act::start_broker:
        if (!cluster_.broker_alive(broker(op.a))) cluster_.start_broker(broker(op.a));
        return cluster_.settle();
      case Act::say_died:
        if (cluster_.controller_alive()) cluster_.controller().broker_died(broker(op.a));
        return cluster_.settle();
      case Act::crash_controller:
        if (cluster_.controller_alive()) cluster_.crash_controller();
        return;
      case Act::start_controller:
        if (!cluster_.controller_alive()) cluster_.start_controller();
        return cluster_.settle();
      case Act::advance:
        return cluster_.advance((1 + op.a % 12) * kSecond_ns);
      case Act::move_leader:
      case Act::elect:
        return change_leader(op);
      case Act::lose_answers:
      case Act::crash_at:
        return arm(op);
      case Act::cut_link:
        return cluster_.links().block(op.b % 2 == 0 ? node(op.a) : cluster_.controller_node(),
                                      op.b % 2 == 0 ? cluster_.controller_node() : node(op.a));
      case Act::heal:
        return cluster_.links().heal();
      case Act::allocate:
        return allocate(op);
      case Act::reassign:
      case Act::cancel_reassignment:
        return reassign(op);
    }
  }
  NodeId node(int a) { return cluster_.broker_node(broker(a)); }

  void arm(const Op& op) {
    static const std::vector<std::string> points = {"controller.record.append", "controller.heartbeat",
                                                    "controller.registration"};
    static const std::vector<FaultAction> actions = {FaultAction::lose_answer, FaultAction::refuse,
                                                     FaultAction::lose_request};
    FaultRule rule;
    rule.point = points[static_cast<std::size_t>(op.a) % points.size()];
    rule.action = actions[static_cast<std::size_t>(op.b) % actions.size()];
    rule.count = 1 + op.a % 3;
    if (op.act == Act::crash_at) {
      static const std::vector<std::string> crash_points = {
          "controller.record.append", "controller.record.applied", "controller.log.claim",
          "controller.log.read",      "broker.metadata.apply",     "controller.heartbeat"};
      rule.point = crash_points[static_cast<std::size_t>(op.a) % crash_points.size()];
      rule.action = FaultAction::crash;
      rule.skip = static_cast<std::uint64_t>(op.b % 3);
      rule.count = 1;
    }
    RC_ASSERT(cluster_.rules().add(rule).ok());
  }

  void create(const Op& op) {
    if (!cluster_.controller_alive()) return;
    CreateTopics request;
    request.topics.emplace_back();
    request.topics[0].name = name(op.a);
    request.topics[0].partitions = 1 + op.b % 4;
    request.topics[0].replication_factor = static_cast<std::int16_t>(1 + op.b % 3);
    const auto answer = cluster_.ask(request);
    if (!answer) {
      model_.unsure.insert(name(op.a));
      return;
    }
    const auto& result = answer->results.at(0);
    const bool known = model_.topics.contains(name(op.a));
    if (!model_.unsure.contains(name(op.a)))
      RC_ASSERT((result.error.code == ErrorCode::topic_already_exists) == known);
    if (result.error.ok()) {
      RC_ASSERT(model_.ids.insert(result.topic_id).second);
      model_.topics[name(op.a)] = 1 + op.b % 4;
      model_.unsure.erase(name(op.a));
    }
  }

  void remove(const Op& op) {
    if (!cluster_.controller_alive()) return;
    DeleteTopics request;
    request.topics.push_back({name(op.a), Uuid()});
    const auto answer = cluster_.ask(request);
    if (!answer) {
      model_.unsure.insert(name(op.a));
      return;
    }
    const bool done = answer->results.at(0).error.ok();
    if (!model_.unsure.contains(name(op.a))) RC_ASSERT(done == model_.topics.contains(name(op.a)));
    model_.topics.erase(name(op.a));
    model_.unsure.erase(name(op.a));
  }

  void grow(const Op& op) {
    if (!cluster_.controller_alive()) return;
    CreatePartitions request;
    request.topics.push_back({name(op.a), 1 + op.b % 7, std::nullopt});
    const auto answer = cluster_.ask(request);
    if (!answer) {
      model_.unsure.insert(name(op.a));
    } else if (answer->results.at(0).error.ok() && !model_.unsure.contains(name(op.a))) {
      RC_ASSERT(1 + op.b % 7 > model_.topics.at(name(op.a)));
      model_.topics[name(op.a)] = 1 + op.b % 7;
    }
  }

  void alter(const Op& op) {
    if (!cluster_.controller_alive()) return;
    IncrementalAlterConfigs request;
    request.resources.push_back({2, name(op.a), {{"retention.ms", 0, std::to_string(op.b)}}});
    cluster_.ask(request);
  }

  void change_leader(const Op& op) {
    if (!cluster_.controller_alive()) return;
    const TopicState* topic = cluster_.image().topic(name(op.a));
    if (topic == nullptr) return;
    if (op.act == Act::elect) {
      cluster_.ask(ElectLeaders{});
      return;
    }
    MoveLeader request;
    request.topic_id = topic->topic_id;
    request.partition = op.b % topic->partition_count();
    request.reopen = op.b % 2 == 0;
    cluster_.ask(request);
  }

  void reassign(const Op& op) {
    if (!cluster_.controller_alive()) return;
    const TopicState* topic = cluster_.image().topic(name(op.a));
    if (topic == nullptr) return;
    AlterPartitionReassignments request;
    request.partitions.push_back({name(op.a), op.b % topic->partition_count(), std::nullopt});
    if (op.act == Act::reassign) {
      auto& replicas = request.partitions[0].replicas.emplace();
      for (int i = 0; i <= op.b % 3; ++i) replicas.push_back(broker(op.a + op.b + i));
    }
    cluster_.ask(request);
  }

  void allocate(const Op& op) {
    if (!cluster_.controller_alive() || !cluster_.broker_alive(broker(op.a))) return;
    AllocateProducerIds request;
    request.broker = broker(op.a);
    request.broker_epoch = cluster_.broker(broker(op.a)).broker_epoch();
    const auto answer = cluster_.ask(request);
    if (!answer || !answer->error.ok()) return;
    RC_ASSERT(answer->first_producer_id >= model_.next_producer_id);
    model_.next_producer_id = answer->first_producer_id + answer->count;
  }

  // --- what always holds ---

  void check() {
    RC_ASSERT(!cluster_.kernel().finding());
    check_log();
    if (!cluster_.controller_alive() || !cluster_.controller().active()) return;
    check_image(cluster_.image());
    for (BrokerId id = 1; id <= kBrokers; ++id) {
      if (!cluster_.broker_alive(id)) continue;
      const MetadataImage& image = *cluster_.broker(id).image();
      RC_ASSERT(image.digest() == digest_at(image.end_offset()));
    }
  }

  // The digests of the image after each batch of the log, made from the log alone.
  void check_log() {
    for (; batches_ < cluster_.log().batches().size(); ++batches_) {
      replayed_.apply(*cluster_.log().batches()[batches_]);
      digests_[replayed_.end_offset()] = replayed_.digest();
      check_image(replayed_);
    }
  }
  std::uint64_t digest_at(MetadataOffset offset) {
    return offset == 0 ? MetadataImage().digest() : digests_.at(offset);
  }

  void check_image(const MetadataImage& image) {
    RC_ASSERT(image.digest() == digest_at(image.end_offset()));
    RC_ASSERT(image.end_offset() >= model_.end_offset || &image != &replayed_);
    image.for_each_topic([&](const TopicState& topic) {
      model_.ids.insert(topic.topic_id);
      for (std::int32_t i = 0; i < topic.partition_count(); ++i) check_partition(image, topic, i);
    });
  }

  void check_partition(const MetadataImage& image, const TopicState& topic, std::int32_t number) {
    const PartitionState& p = *topic.partition(number);
    RC_ASSERT((p.leader == kNoBroker) == p.isr.empty());
    RC_ASSERT(p.leader == kNoBroker || p.in_isr(p.leader));
    const std::set<BrokerId> isr(p.isr.begin(), p.isr.end());
    RC_ASSERT(isr.size() == p.isr.size());
    for (const BrokerId id : p.replicas) RC_ASSERT(isr.contains(id) == image.is_active(id));
    for (const BrokerId id : p.isr) RC_ASSERT(p.has_replica(id));
    for (const BrokerId id : p.adding) RC_ASSERT(p.has_replica(id));
    for (const BrokerId id : p.removing) RC_ASSERT(p.has_replica(id));
    // A reassignment that waits has somebody to wait for.
    const bool waits = std::any_of(p.replicas.begin(), p.replicas.end(), [&](BrokerId id) {
      return !image.is_active(id) && std::find(p.removing.begin(), p.removing.end(), id) == p.removing.end();
    });
    RC_ASSERT(!p.is_reassigned() || waits);
    if (&image != &replayed_) return;
    const std::pair<Uuid, int> key(topic.topic_id, number);
    auto& [leader_epoch, partition_epoch] = model_.epochs[key];
    RC_ASSERT(p.leader_epoch >= leader_epoch);
    RC_ASSERT(p.partition_epoch >= partition_epoch);
    leader_epoch = p.leader_epoch;
    partition_epoch = p.partition_epoch;
    // One leader for each leader epoch.
    const auto known = model_.leaders.find(key);
    if (known != model_.leaders.end() && known->second.first == p.leader_epoch)
      RC_ASSERT(known->second.second == p.leader);
    model_.leaders[key] = {p.leader_epoch, p.leader};
  }

  // Everything comes back, and all agree.
  void recover() {
    cluster_.links().heal();
    cluster_.rules().remove_all();
    if (!cluster_.controller_alive()) cluster_.start_controller();
    for (BrokerId id = 1; id <= kBrokers; ++id) {
      if (!cluster_.broker_alive(id)) cluster_.start_broker(id);
    }
    cluster_.advance(40 * kSecond_ns);
    check();
    RC_ASSERT(cluster_.image().active_brokers().size() == static_cast<std::size_t>(kBrokers));
    for (const auto& [topic, partitions] : model_.topics) {
      if (model_.unsure.contains(topic)) continue;
      RC_ASSERT(cluster_.image().topic(topic) != nullptr);
      RC_ASSERT(cluster_.image().topic(topic)->partition_count() == partitions);
    }
    const auto digest = cluster_.image().digest();
    for (BrokerId id = 1; id <= kBrokers; ++id) RC_ASSERT(cluster_.broker(id).image()->digest() == digest);
    cluster_.restart_controller();
    RC_ASSERT(cluster_.image().digest() == digest);
  }

  TestCluster cluster_;
  Model model_;
  MetadataImage replayed_;
  std::size_t batches_ = 0;
  std::map<MetadataOffset, std::uint64_t> digests_;
};

rc::Gen<Op> op_gen() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(0, kActs + 3), rc::gen::inRange(0, 24), rc::gen::inRange(0, 24)),
      [](const std::tuple<int, int, int>& t) {
        Op op;
        // Topics are created and brokers started more often than the rest happens.
        const int act = std::get<0>(t);
        op.act = act < kActs        ? static_cast<Act>(act)
                 : act == kActs     ? Act::create
                 : act == kActs + 1 ? Act::start_broker
                                    : Act::start_controller;
        op.a = std::get<1>(t);
        op.b = std::get<2>(t);
        return op;
      });
}

}  // namespace

TEST_CASE("random histories keep the invariants, and the same history is the same run",
          "[controller][property]") {
  const bool ok = rc::check("controller", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
    const auto ops = *rc::gen::container<std::vector<Op>>(op_gen());
    History first(seed);
    first.run(ops);
    History second(seed);
    second.run(ops);
    RC_ASSERT(first.hash() == second.hash());
  });
  CHECK(ok);
}
