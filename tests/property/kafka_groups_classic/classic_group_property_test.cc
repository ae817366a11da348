// Random clients of one classic group: they join, sync, heartbeat, commit and leave, or are silent; the log
// refuses records, the coordinator moves. Against a small model:
//   - every request is answered exactly once;
//   - whoever gets an assignment gets the one in the log, of his own generation;
//   - who is in the same generation has the same protocol and the same leader;
//   - generations in the log never go back;
//   - an instance has one member, and a member is either in the group or about to come;
//   - sessions run for exactly the members that have to show that they live.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include <set>

#include "tests/unit/kafka_groups_classic/world.h"

namespace wt::kafka {
namespace {

constexpr std::size_t kClients = 5;
constexpr std::uint8_t kKinds = 24;  // most of them: what is due

struct Step {
  std::uint8_t kind;
  std::uint8_t client;
  std::uint8_t number;
};

struct Client {
  std::string id;
  std::string instance;
  std::int32_t generation = -1;
  bool leads = false;
  bool synced = false;
  std::set<Ticket> joins;
  std::map<Ticket, std::int32_t> syncs;  // with the generation asked for
};

class Model {
 public:
  explicit Model(std::int32_t initial_delay_ms) : world_(initial_delay_ms) {
    for (std::size_t i = 0; i < kClients; ++i) {
      if (i % 2 == 1) clients_[i].instance = "i" + std::to_string(i);
    }
    world_.settings_now.new_member_join_timeout_ms = 50'000;
  }

  void run(const Step& step) {
    Client& client = clients_[step.client % kClients];
    switch (step.kind % kKinds) {
      case 0:
        join(client, step.number);
        break;
      case 1:
        sync(client);
        break;
      case 2:
        world_.heartbeat(client.id, client.generation, client.instance);
        break;
      case 3:
        world_.commit(client.id, client.generation);
        break;
      case 4:
        if (step.number % 3 == 0) world_.leave({{client.id, client.instance}});
        break;
      case 5:
        world_.advance(step.number * 100);
        break;
      case 6:
        if (step.number % 2 == 0) world_.append_error = ErrorCode::kCoordinatorNotAvailable;
        break;
      case 7:
        if (step.number % 4 == 0) reload();
        break;
      default:
        do_what_is_due(client, step.number);
        break;
    }
    replace_dead();
    world_.advance(0);
    replace_dead();
    take_answers();
    check();
  }

  // How many assignments members got.
  int given() const { return given_; }

  // Everybody stops: what still waits is answered by the end of the coordinator.
  void finish() {
    Outcome outcome;
    world_.group->close(ErrorCode::kNotCoordinator, outcome);
    for (Outcome::Answer& answer : outcome.answers) {
      RC_ASSERT(world_.answers.emplace(answer.ticket, std::move(answer.response)).second);
    }
    RC_ASSERT(world_.timers.empty());
    for (Client& client : clients_) {
      for (const Ticket ticket : client.joins) RC_ASSERT(world_.answered(ticket));
      for (const auto& [ticket, generation] : client.syncs) RC_ASSERT(world_.answered(ticket));
    }
  }

 private:
  // As a real client goes on.
  void do_what_is_due(Client& client, std::uint8_t number) {
    if (number % 8 == 0) world_.advance(1'000);
    if (!client.joins.empty() || !client.syncs.empty()) return;
    if (client.generation < 0) return join(client, number | 1);
    if (!client.synced) return sync(client);
    const ErrorCode code = world_.heartbeat(client.id, client.generation, client.instance);
    if (code == ErrorCode::kNone) return;
    if (code != ErrorCode::kRebalanceInProgress) client.id.clear();
    join(client, number | 1);
  }

  void join(Client& client, std::uint8_t number) {
    client.synced = false;
    JoinGroupRequest request = join_request(client.id, client.instance);
    // Now and then a member comes back without its id, or changes its mind.
    if (number % 10 == 0) request.member_id.clear();
    if (number % 3 == 0) std::swap(request.protocols[0], request.protocols[1]);
    if (number % 7 == 0) request.protocols.pop_back();
    request.session_timeout_ms = 10'000 + 1'000 * (number % 30);
    request.rebalance_timeout_ms = 1'000 * (number % 60);
    client.joins.insert(world_.join(request, number % 4 == 0 ? 3 : 9));
  }

  void sync(Client& client) {
    std::map<std::string, std::string> assignments;
    if (client.leads) {
      for (const auto& [id, member] : world_.group->members()) {
        assignments[id] = std::to_string(client.generation) + " " + std::to_string(++assigned_);
      }
    }
    client.syncs[world_.sync(client.id, client.generation, assignments, client.instance)] = client.generation;
  }

  void reload() {
    world_.append_error = ErrorCode::kNone;
    agreed_.clear();
    world_.reload();
  }

  // As a shard does with a group whose first record could not be written.
  void replace_dead() {
    if (!world_.group->is_gone()) return;
    RC_ASSERT(world_.timers.empty());
    world_.group = std::make_unique<ClassicGroup>(world_, "g", ClassicGroup::Origin::join);
  }

  void take_answers() {
    for (Client& client : clients_) {
      for (auto it = client.joins.begin(); it != client.joins.end();) {
        if (!world_.answered(*it)) {
          ++it;
          continue;
        }
        take_join(client, world_.joined(*it));
        it = client.joins.erase(it);
      }
      for (auto it = client.syncs.begin(); it != client.syncs.end();) {
        if (!world_.answered(it->first)) {
          ++it;
          continue;
        }
        client.synced = take_sync(world_.synced(it->first), it->second);
        if (!client.synced) client.generation = -1;
        it = client.syncs.erase(it);
      }
    }
  }

  void take_join(Client& client, const JoinGroupResponse& response) {
    if (response.error_code == ErrorCode::kMemberIdRequired) client.id = response.member_id;
    if (response.error_code == ErrorCode::kUnknownMemberId) client.id.clear();
    client.generation = -1;
    if (response.error_code != ErrorCode::kNone) return;
    client.id = response.member_id;
    client.generation = response.generation_id;
    client.leads = response.leader == response.member_id && !response.skip_assignment;
    RC_ASSERT(response.protocol_name.has_value());
    const auto [agreed, is_first] = agreed_.emplace(response.generation_id, *response.protocol_name);
    RC_ASSERT(agreed->second == *response.protocol_name);
    RC_ASSERT(response.members.empty() || response.leader == response.member_id);
  }

  // False when it was refused.
  bool take_sync(const SyncGroupResponse& response, std::int32_t generation) {
    if (response.error_code != ErrorCode::kNone) {
      RC_ASSERT(response.assignment.empty());
      return false;
    }
    RC_ASSERT(world_.last_record().generation == generation);
    if (response.assignment.empty()) return true;
    // It says itself for which generation it was made, and it is in the log.
    const std::string text(response.assignment.text());
    RC_ASSERT(text.substr(0, text.find(' ')) == std::to_string(generation));
    bool is_in_log = false;
    for (const auto& member : world_.last_record().members) is_in_log |= member.assignment.text() == text;
    RC_ASSERT(is_in_log);
    ++given_;
    return true;
  }

  void check() {
    const ClassicGroup& group = *world_.group;
    check_members(group);
    check_timers(group);
    for (std::size_t i = 1; i < world_.log.size(); ++i) {
      RC_ASSERT(generation_at(i - 1) <= generation_at(i));
    }
    const bool has_members =
        group.state() == ClassicState::stable || group.state() == ClassicState::completing_rebalance;
    if (has_members) RC_ASSERT(!group.members().empty());
    if (group.is_empty()) RC_ASSERT(group.members().empty());
  }

  void check_members(const ClassicGroup& group) {
    std::set<std::string> instances;
    for (const auto& [id, member] : group.members()) {
      RC_ASSERT(member.id == id);
      RC_ASSERT(!group.pending_members().contains(id));
      if (member.instance_id) RC_ASSERT(instances.insert(*member.instance_id).second);
      RC_ASSERT(!(member.awaiting_join && member.awaiting_sync));
      if (member.awaiting_join) RC_ASSERT(group.state() == ClassicState::preparing_rebalance);
      if (member.awaiting_sync) RC_ASSERT(group.state() == ClassicState::completing_rebalance);
    }
    if (!group.members().empty()) RC_ASSERT(group.members().contains(*group.leader()));
  }

  void check_timers(const ClassicGroup& group) {
    for (const auto& [timer, armed] : world_.timers) {
      if (timer.kind == GroupTimerKind::session) RC_ASSERT(group.members().contains(timer.member));
      if (timer.kind == GroupTimerKind::pending) RC_ASSERT(group.pending_members().contains(timer.member));
    }
    for (const auto& [id, member] : group.members()) {
      if (!member.is_excused()) RC_ASSERT(world_.has_timer(GroupTimerKind::session, id));
    }
    for (const std::string& id : group.pending_members()) {
      RC_ASSERT(world_.has_timer(GroupTimerKind::pending, id));
    }
    const bool joining =
        world_.has_timer(GroupTimerKind::join) || world_.has_timer(GroupTimerKind::initial_delay);
    RC_ASSERT(joining == (group.state() == ClassicState::preparing_rebalance));
    if (group.state() == ClassicState::completing_rebalance) {
      bool all_asked = true;
      for (const auto& [id, member] : group.members()) all_asked &= member.awaiting_sync.has_value();
      RC_ASSERT(all_asked || world_.has_timer(GroupTimerKind::sync));
    }
  }

  std::int32_t generation_at(std::size_t at) const {
    return world_.log[at].value.get<GroupMetadataValue>()->generation;
  }

  World world_;
  std::array<Client, kClients> clients_;
  std::map<std::int32_t, std::string> agreed_;  // protocol by generation, since the last reload
  int assigned_ = 0;
  int given_ = 0;
};

TEST_CASE("a classic group under random clients, failures and reloads") {
  const bool ok = rc::check([] {
    const auto delay_ms = *rc::gen::element(0, 0, 3'000);
    const auto any_number = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint32_t>());
    const auto numbers = *rc::gen::scale(4.0, rc::gen::container<std::vector<std::uint32_t>>(any_number));
    Model model(delay_ms);
    for (const std::uint32_t number : numbers) {
      model.run(Step{static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(number >> 8),
                     static_cast<std::uint8_t>(number >> 16)});
    }
    model.finish();
    RC_CLASSIFY(model.given() > 0, "assignments given");
    RC_CLASSIFY(model.given() > 4, "many assignments given");
  });
  CHECK(ok);
}

}  // namespace
}  // namespace wt::kafka
