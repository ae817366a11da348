// A consumer group under members that are honest, miss answers, repeat themselves or fall silent, topics that
// change, and coordinators that take over: nobody ever owns what another one owns, and in the end all is
// shared.
#include <rapidcheck.h>
#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/formats/byte_writer.h"
#include "sim/kafka/groups/consumer/consumer_protocol.h"
#include "sim/kafka/wire/codec.h"
#include "tests/unit/kafka_groups_consumer/consumer_host.h"

namespace wt::kafka {
namespace {

struct Step {
  int what = 0;
  int who = 0;
  int how = 0;
};

// A member as the world sees it: what it may be working on is what it was told and has not said it gave up.
struct Actor {
  TestMember member;
  bool alive = false;
};

constexpr int kActors = 4;

Slice subscription_bytes(const TestMember& member, const controller::MetadataImage& image) {
  ConsumerProtocolSubscription subscription;
  subscription.topics = member.topics;
  for (const auto& [topic_id, numbers] : member.owned) {
    const auto* topic = image.topic(topic_id);
    if (topic == nullptr) continue;
    auto& owned = subscription.owned_partitions.emplace_back();
    owned.topic = topic->name;
    owned.partitions = {numbers.begin(), numbers.end()};
  }
  ByteWriter out;
  out.i16(1);
  const auto fields = encode_any(ConsumerProtocolSubscription::kTable, &subscription, 1);
  for (const Slice& part : *fields) out.bytes(part.bytes());
  return out.to_slice();
}

// A member of the classic protocol that gives up partitions before it takes others, as cooperative ones do.
class OldActor {
 public:
  explicit OldActor(ConsumerHost& host) : host_(host) {}

  // Joins where there is a group to join, or heartbeats and does what it is told.
  void act() {
    if (host_.group == nullptr || host_.group->is_empty()) return;
    alive = true;
    if (member.epoch <= 0) return join();
    HeartbeatRequest request;
    request.member_id = member.id;
    request.generation_id = member.epoch;
    Outcome outcome;
    host_.group->classic_heartbeat(1, request, outcome);
    const ErrorCode code = host_.finish<HeartbeatResponse>(outcome)->error_code;
    if (code == ErrorCode::kRebalanceInProgress) return join();
    if (code != ErrorCode::kNone) forget();
  }
  void leave() {
    if (!alive || host_.group == nullptr) return;
    alive = false;
    LeaveGroupRequest request;
    request.members.emplace_back().member_id = member.id;
    Outcome outcome;
    host_.group->leave(1, request, outcome);
    host_.finish<LeaveGroupResponse>(outcome);
    forget();
  }

  TestMember member{"old"};
  bool alive = false;

 private:
  void forget() {
    member.epoch = 0;
    member.owned.clear();
  }
  void join() {
    JoinGroupRequest request;
    request.session_timeout_ms = 45'000;
    request.rebalance_timeout_ms = 60'000;
    request.member_id = member.id;
    request.protocol_type = "consumer";
    auto& protocol = request.protocols.emplace_back();
    protocol.name = "range";
    protocol.metadata = subscription_bytes(member, host_.image());
    Outcome outcome;
    host_.group->join(1, Caller(), request, outcome);
    const auto joined = host_.finish<JoinGroupResponse>(outcome);
    RC_ASSERT(joined->error_code == ErrorCode::kNone);
    RC_ASSERT(joined->generation_id >= member.epoch);
    member.epoch = joined->generation_id;
    sync();
  }
  void sync() {
    SyncGroupRequest request;
    request.member_id = member.id;
    request.generation_id = member.epoch;
    Outcome outcome;
    host_.group->sync(1, request, outcome);
    const auto synced = host_.finish<SyncGroupResponse>(outcome);
    if (synced->error_code != ErrorCode::kNone) return;
    member.owned = to_partitions(parse_assignment(synced->assignment)->assigned_partitions, host_.image());
  }

  ConsumerHost& host_;
};

class World {
 public:
  World() {
    for (int i = 0; i < kActors; ++i) {
      Actor& actor = actors_.emplace_back(Actor{TestMember("m" + std::to_string(i)), false});
      if (i == 3) actor.member.instance_id = "static";
      if (i == 2) actor.member.assignor = "range";
    }
    host.create_topic("t", 3);
    host.options.consumer_migration = MigrationPolicy::upgrade;
  }

  void run(const Step& step) {
    Actor& actor = actors_[static_cast<std::size_t>(step.who)];
    switch (step.what) {
      case 0:
      case 1:
      case 2:
        heartbeat(actor);
        break;
      case 3:
        lose_answer(actor);
        break;
      case 4:
        host.send(actor.member.request());
        heartbeat(actor);
        break;
      case 5:
        subscribe(actor, step.how);
        break;
      case 6:
        leave(actor, step.how);
        break;
      case 7:
        change_topics(step.how);
        break;
      case 8:
        host.reload();
        break;
      case 9:
        if (step.how < 9) {
          old.act();
        } else {
          old.leave();
        }
        break;
      default:
        host.advance_ms(step.how * 700);
        break;
    }
    check();
    if (host.group != nullptr) RC_ASSERT(host.replayed()->same_state(*host.group));
  }

  // Everybody who is there heartbeats, longer than a session: who left or fell silent is gone then.
  void settle() {
    for (int round = 0; round < 75; ++round) {
      host.advance_ms(1'000);
      for (Actor& actor : actors_) {
        if (actor.alive) heartbeat(actor);
      }
      if (old.alive) old.act();
      check();
    }
  }

  void check_all_shared() {
    if (host.group == nullptr || host.group->is_empty()) return;
    // Where no member speaks the consumer protocol and groups may not become classic ones, nobody computes
    // the next assignment: a broker leaves it at that, too.
    const bool computes =
        std::any_of(actors_.begin(), actors_.end(), [](const Actor& actor) { return actor.alive; });
    if (!computes) return;
    RC_ASSERT(host.group->state_name() == "Stable");
    TopicPartitions wanted;
    TopicPartitions owned;
    for (const TestMember* member : living()) {
      const ConsumerMember& known = host.group->members().at(member->id);
      for (const Uuid& id : host.group->subscriptions().topic_ids(known, host.image())) {
        const std::int32_t count = host.image().topic(id)->partition_count();
        for (std::int32_t number = 0; number < count; ++number) wanted[id].insert(number);
      }
      for (const auto& [id, numbers] : member->owned) {
        for (const std::int32_t number : numbers) RC_ASSERT(owned[id].insert(number).second);
      }
    }
    RC_ASSERT(owned == wanted);
  }

  ConsumerHost host;
  OldActor old{host};

 private:
  std::vector<const TestMember*> living() const {
    std::vector<const TestMember*> members;
    for (const Actor& actor : actors_) {
      if (actor.alive) members.push_back(&actor.member);
    }
    if (old.alive) members.push_back(&old.member);
    return members;
  }
  void heartbeat(Actor& actor) {
    actor.alive = true;
    const std::int32_t before = actor.member.epoch;
    const auto response = actor.member.heartbeat(host);
    if (response.error_code == ErrorCode::kNone) RC_ASSERT(response.member_epoch >= before);
  }
  // The broker heard it, the member did not hear the broker.
  void lose_answer(Actor& actor) {
    if (actor.alive) host.send(actor.member.request());
  }
  void subscribe(Actor& actor, int how) {
    // Not none: a broker gives partitions to a member that joins without topics while an assignment is due.
    static const std::vector<std::vector<std::string>> kTopics = {{"t"}, {"u"}, {"t", "u"}};
    actor.member.topics = kTopics[static_cast<std::size_t>(how % 3)];
    if (actor.member.instance_id) return;
    actor.member.regex = how % 4 == 0 ? "[tv]" : "";
  }
  void leave(Actor& actor, int how) {
    if (!actor.alive) return;
    actor.alive = false;
    const bool comes_back = actor.member.instance_id && how % 2 == 0;
    actor.member.leave(host, comes_back ? kStaticLeaveEpoch : kLeaveEpoch);
  }
  void change_topics(int how) {
    const std::string name = how % 3 == 0 ? "u" : how % 3 == 1 ? "v" : "t";
    const auto* topic = host.image().topic(name);
    if (topic == nullptr) {
      host.create_topic(name, 1 + how % 4);
    } else if (how % 4 == 0) {
      host.remove_topic(name);
    } else {
      host.grow_topic(name, topic->partition_count() + 1);
    }
  }

  void check() {
    if (host.group == nullptr) return;
    const ConsumerGroup& group = *host.group;
    RC_ASSERT(group.epoch() >= last_epoch_);
    RC_ASSERT(group.epoch() >= group.assignment_epoch());
    last_epoch_ = group.epoch();
    std::map<Uuid, std::set<std::int32_t>> assigned;
    for (const auto& [id, member] : group.members()) {
      for (const EpochPartitions* part : {&member.assigned, &member.pending_revocation}) {
        for (const auto& [topic_id, epochs] : *part) {
          for (const auto& [number, epoch] : epochs) RC_ASSERT(assigned[topic_id].insert(number).second);
        }
      }
    }
    check_owners();
  }
  // By what living members were told and have not given up. Who is no member any more does not know it yet.
  void check_owners() {
    TopicPartitions owned;
    for (const TestMember* member : living()) {
      const auto known = host.group->members().find(member->id);
      if (known == host.group->members().end() || known->second.epoch < 0) continue;
      for (const auto& [topic_id, numbers] : member->owned) {
        for (const std::int32_t number : numbers) RC_ASSERT(owned[topic_id].insert(number).second);
      }
    }
  }

  std::vector<Actor> actors_;
  std::int32_t last_epoch_ = 0;
};

TEST_CASE("no partition has two owners, epochs only grow, and everything is shared in the end") {
  CHECK(rc::check([](const std::vector<std::uint32_t>& script) {
    World world;
    for (const std::uint32_t number : script) {
      world.run({static_cast<int>(number % 11), static_cast<int>(number / 11 % kActors),
                 static_cast<int>(number / 100 % 12)});
    }
    world.settle();
    world.check_all_shared();
  }));
}

}  // namespace
}  // namespace wt::kafka
