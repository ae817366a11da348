#include "sim/cluster/control_commands.h"

#include <memory>
#include <utility>
#include <vector>

#include "sim/cluster/rule_json.h"
#include "sim/controller/names.h"
#include "sim/kafka/groups/coordinator.h"
#include "sim/kafka/wire/api.h"

namespace wt::cluster {
namespace {

constexpr std::int64_t kMaxMicroseconds = std::int64_t{3600} * 1'000'000;
constexpr std::int64_t kMaxSeenRequests = 1'000'000;
constexpr std::int64_t kDefaultSeenRequests = 10'000;
constexpr std::size_t kMostMoves = 100'000;
constexpr std::int64_t kHighestKey = 127;

std::string refused(std::string_view sentence) {
  return error_answer("invalid_argument", sentence);
}

std::string no_rule(std::int64_t rule) {
  return error_answer("not_found", "There is no rule " + std::to_string(rule) + ".");
}

}  // namespace

std::string_view coordinator_topic(std::string_view type) {
  if (type == "group") return kafka::kOffsetsTopic;
  if (type == "transaction") return "__transaction_state";
  return {};
}

std::int32_t coordinator_partition(std::string_view key, std::int32_t partitions) {
  return kafka::group_partition(key, partitions);
}

std::string ControlCommands::done(Commands& commands) {
  cluster(commands).kernel().run_ready();
  return ok_answer();
}

// --- rules ---

std::string ControlCommands::add_rule(Commands& commands, Fields& fields) {
  StatusOr<FaultRule> rule = rule_from(fields);
  if (!rule.ok()) return refused(message_of(rule.status()));
  const StatusOr<RuleId> id = cluster(commands).rules().add(std::move(*rule));
  if (!id.ok()) return refused(message_of(id.status()));
  json::object answer;
  answer["rule"] = *id;
  return ok_answer(std::move(answer));
}

std::string ControlCommands::remove_rule(Commands& commands, Fields& fields) {
  const auto rule = static_cast<RuleId>(fields.number("rule", std::nullopt, 0, 0xFFFFFFFFLL));
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  return cluster(commands).rules().remove(rule) ? done(commands) : no_rule(rule);
}

std::string ControlCommands::release_rule(Commands& commands, Fields& fields) {
  const auto rule = static_cast<RuleId>(fields.number("rule", std::nullopt, 0, 0xFFFFFFFFLL));
  const std::int64_t count = fields.number("count", std::numeric_limits<std::int64_t>::max(), 1);
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  const bool known = cluster(commands).rules().release(rule, static_cast<std::size_t>(count));
  return known ? done(commands) : no_rule(rule);
}

std::string ControlCommands::remove_rules(Commands& commands, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  cluster(commands).rules().remove_all();
  return done(commands);
}

// --- leaders ---

std::string ControlCommands::move_all(Commands& commands, const std::vector<controller::MoveLeader>& moves,
                                      bool must_succeed) {
  struct Moving {
    std::size_t open = 0;
    std::size_t moved = 0;
    std::int32_t leader = -1;
    std::string error;
  };
  const auto state = std::make_shared<Moving>();
  state->open = moves.size();
  const std::uint64_t operation = commands.begin();
  const auto finish = [&commands, operation, state, must_succeed] {
    if (must_succeed && !state->error.empty()) {
      commands.finish(operation, refused(state->error));
      return;
    }
    json::object answer;
    answer["moved"] = state->moved;
    if (must_succeed) answer["leader"] = state->leader;
    commands.finish(operation, ok_answer(std::move(answer)));
  };
  if (moves.empty()) finish();
  for (const controller::MoveLeader& move : moves) {
    const std::int32_t to = move.to;
    cluster(commands).move_leader(
        move, [state, finish, to](const StatusOr<controller::MoveLeader::Response>& answer) {
          if (!answer.ok()) {
            state->error = "The controller gave no answer.";
          } else if (answer->error.ok()) {
            ++state->moved;
            state->leader = answer->leader;
          } else if (to >= 0 && answer->leader == to) {
            state->leader = to;  // it is there already
          } else {
            state->error = answer->error.message;
          }
          if (--state->open == 0) finish();
        });
  }
  return commands.settle(operation);
}

// The coordinator of a key is whoever leads its partition.
std::string ControlCommands::move_coordinator(Commands& commands, Fields& fields) {
  const std::string type = fields.text("type", "group");
  const std::string key = fields.text("key");
  controller::MoveLeader move;
  move.to = static_cast<std::int32_t>(fields.number("to", -1, -1, 1'000'000));
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  const std::string_view topic_name = coordinator_topic(type);
  if (topic_name.empty()) return refused("The field 'type' must be \"group\" or \"transaction\".");
  const controller::ImagePtr image = cluster(commands).image();
  const controller::TopicState* topic = image == nullptr ? nullptr : image->topic(topic_name);
  if (topic == nullptr) {
    return error_answer("not_found",
                        "There is no topic '" + std::string(topic_name) +
                            "' yet: it comes with the first client that looks for a coordinator.");
  }
  move.topic_id = topic->topic_id;
  move.partition = coordinator_partition(key, topic->partition_count());
  return move_all(commands, {move}, true);
}

// Every partition of a topic, or of all topics, gets another leader where there is one.
std::string ControlCommands::move_leaders(Commands& commands, Fields& fields) {
  const std::string only = controller::kafka_topic_name(fields.text("topic", ""));
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  const controller::ImagePtr image = cluster(commands).image();
  if (!only.empty() && (image == nullptr || image->topic(only) == nullptr)) {
    return error_answer("not_found", "There is no topic '" + only + "'.");
  }
  std::vector<controller::MoveLeader> moves;
  if (image != nullptr) {
    image->for_each_topic([&](const controller::TopicState& topic) {
      if (!only.empty() && topic.name != only) return;
      for (std::int32_t number = 0; number < topic.partition_count(); ++number) {
        controller::MoveLeader& move = moves.emplace_back();
        move.topic_id = topic.topic_id;
        move.partition = number;
      }
    });
  }
  if (moves.size() > kMostMoves) return refused("There are more than 100000 partitions; name a topic.");
  return move_all(commands, moves, false);
}

// --- what clients meet ---

// All of it on the way back, as a slow answer.
std::string ControlCommands::set_round_trip(Commands& commands, Fields& fields) {
  const auto broker = static_cast<std::int32_t>(fields.number("broker", -1, -1, 1'000'000));
  LinkLatency latency;
  latency.base_ns = fields.number("delay_us", std::nullopt, 0, kMaxMicroseconds) * kMicrosecond_ns;
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  Cluster& target = cluster(commands);
  if (broker >= 0 && !target.has_broker(broker)) {
    return error_answer("not_found", "There is no broker " + std::to_string(broker) + ".");
  }
  for (const std::int32_t id : target.broker_ids()) {
    if (broker < 0 || id == broker)
      target.links().set_latency(target.broker_node(id), target.outside_node(), latency);
  }
  return ok_answer();
}

std::string ControlCommands::set_api_versions(Commands& commands, Fields& fields) {
  const auto key = static_cast<std::int16_t>(fields.number("api_key", std::nullopt, 0, kHighestKey));
  const auto low = static_cast<kafka::Version>(fields.number("min", 0, -1, 32'767));
  const auto high = static_cast<kafka::Version>(fields.number("max", 32'767, -1, 32'767));
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  kafka::ApiCaps& caps = cluster(commands).controls().api_caps;
  if (low < 0 && high < 0) {
    caps.set(key, schema::VersionRange{});
    return ok_answer();
  }
  const kafka::ReleaseProfile* profile = kafka::find_profile(cluster(commands).options().profile);
  const kafka::ApiRange* offered = profile == nullptr ? nullptr : profile->find(key);
  if (offered == nullptr)
    return error_answer("not_found", "This release has no API " + std::to_string(key) + ".");
  if (low < 0 || high < low || low > offered->versions.last || high < offered->versions.first) {
    return refused("The versions must be a range that meets " + std::to_string(offered->versions.first) +
                   " to " + std::to_string(offered->versions.last) + ", or -1 and -1 to take the API away.");
  }
  caps.set(key, schema::between(low, high));
  return ok_answer();
}

std::string ControlCommands::reset_api_versions(Commands& commands, Fields& fields) {
  const auto key = static_cast<std::int16_t>(fields.number("api_key", -1, -1, kHighestKey));
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  kafka::ApiCaps& caps = cluster(commands).controls().api_caps;
  if (key < 0) caps.reset_all();
  if (key >= 0) caps.reset(key);
  return ok_answer();
}

std::string ControlCommands::track_requests(Commands& commands, Fields& fields) {
  const bool on = fields.flag("on", true);
  const std::int64_t limit = fields.number("limit", kDefaultSeenRequests, 1, kMaxSeenRequests);
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  kafka::RequestLog& log = cluster(commands).controls().requests;
  if (on) log.start(static_cast<std::size_t>(limit));
  if (!on) log.stop();
  return ok_answer();
}

std::string ControlCommands::clear_requests(Commands& commands, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return refused(fields.error());
  cluster(commands).controls().requests.clear();
  return ok_answer();
}

ControlCommands::Run ControlCommands::find(std::string_view name) {
  static constexpr std::pair<std::string_view, Run> kCommands[] = {
      {"add_rule", &add_rule},
      {"remove_rule", &remove_rule},
      {"release_rule", &release_rule},
      {"remove_rules", &remove_rules},
      {"move_coordinator", &move_coordinator},
      {"move_leaders", &move_leaders},
      {"set_round_trip", &set_round_trip},
      {"set_api_versions", &set_api_versions},
      {"reset_api_versions", &reset_api_versions},
      {"track_requests", &track_requests},
      {"clear_requests", &clear_requests},
  };
  for (const auto& [known, run] : kCommands) {
    if (known == name) return run;
  }
  return nullptr;
}

}  // namespace wt::cluster
