// execute(): what changes the cluster.
#include "sim/cluster/commands.h"

#include <utility>

#include "sim/cluster/control_commands.h"
#include "sim/cluster/json_fields.h"
#include "sim/controller/names.h"

namespace wt::cluster {
namespace {

constexpr std::size_t kKeptOperations = 1024;
constexpr std::int64_t kMaxMicroseconds = std::int64_t{3600} * 1'000'000;

std::string_view error_code_of(controller::ErrorCode code) {
  switch (code) {
    case controller::ErrorCode::topic_already_exists:
      return "already_exists";
    case controller::ErrorCode::unknown_topic_or_partition:
    case controller::ErrorCode::unknown_topic_id:
    case controller::ErrorCode::broker_id_not_registered:
      return "not_found";
    case controller::ErrorCode::request_timed_out:
      return "timed_out";
    default:
      return "invalid_argument";
  }
}

std::string controller_error(const controller::Error& error) {
  const std::string message =
      error.message.empty() ? std::string(controller::general_message(error.code)) : error.message;
  return error_answer(error_code_of(error.code), message);
}

std::string status_error(const Status& status) {
  return error_answer("timed_out", "The controller gave no answer: " + std::string(message_of(status)) + ".");
}

std::string no_broker(std::int64_t broker) {
  return error_answer("not_found", "There is no broker " + std::to_string(broker) + ".");
}

}  // namespace

// The commands by name.
struct CommandTable {
  using Run = std::string (*)(Commands& commands, Fields& fields);
  struct Command {
    std::string_view name;
    Run run;
  };
  static const Command* find(std::string_view name);

  static Cluster& cluster(Commands& commands) { return commands.cluster_; }

  static std::string create_topic(Commands& commands, Fields& fields) {
    controller::CreateTopics request;
    request.allow_full_names = true;
    controller::CreateTopics::Topic& topic = request.topics.emplace_back();
    topic.name = controller::kafka_topic_name(fields.text("name"));
    topic.partitions = static_cast<std::int32_t>(fields.number("partitions", -1, -1, 100'000));
    topic.replication_factor = static_cast<std::int16_t>(fields.number("replication_factor", -1, -1, 1000));
    read_texts(fields.object("configs"), [&](std::string key, std::string value) {
      topic.configs.push_back({std::move(key), std::move(value)});
    });
    read_texts(fields.object("properties"), [&](std::string key, std::string value) {
      topic.properties[std::move(key)] = std::move(value);
    });
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    const std::uint64_t operation = commands.begin();
    cluster(commands).create_topic(
        request, [&commands, operation](const StatusOr<controller::CreateTopics::Response>& answer) {
          commands.finish(operation, created(answer));
        });
    return commands.settle(operation);
  }

  static std::string created(const StatusOr<controller::CreateTopics::Response>& answer) {
    if (!answer.ok()) return status_error(answer.status());
    const controller::CreateTopics::Result& result = answer->results.front();
    if (!result.error.ok()) return controller_error(result.error);
    json::object fields;
    fields["name"] = result.name;
    fields["topic_id"] = result.topic_id.text();
    fields["partitions"] = result.partitions;
    fields["replication_factor"] = result.replication_factor;
    return ok_answer(std::move(fields));
  }

  static std::string delete_topic(Commands& commands, Fields& fields) {
    controller::DeleteTopics request;
    request.topics.emplace_back().name = controller::kafka_topic_name(fields.text("name"));
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    const std::uint64_t operation = commands.begin();
    cluster(commands).delete_topic(
        request, [&commands, operation](StatusOr<controller::DeleteTopics::Response> answer) {
          if (!answer.ok()) {
            commands.finish(operation, status_error(answer.status()));
          } else {
            const controller::Error& error = answer->results.front().error;
            commands.finish(operation, error.ok() ? ok_answer() : controller_error(error));
          }
        });
    return commands.settle(operation);
  }

  static std::string move_leader(Commands& commands, Fields& fields) {
    const std::string name = controller::kafka_topic_name(fields.text("topic"));
    controller::MoveLeader request;
    request.partition = static_cast<std::int32_t>(fields.number("partition", 0, 0, 1'000'000));
    request.to = static_cast<std::int32_t>(fields.number("to", -1, -1, 1'000'000));
    request.reopen = fields.flag("reopen", false);
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    const controller::ImagePtr image = cluster(commands).image();
    const controller::TopicState* topic = image == nullptr ? nullptr : image->topic(name);
    if (topic == nullptr) return error_answer("not_found", "There is no topic '" + name + "'.");
    request.topic_id = topic->topic_id;
    const std::uint64_t operation = commands.begin();
    cluster(commands).move_leader(
        request, [&commands, operation](const StatusOr<controller::MoveLeader::Response>& answer) {
          commands.finish(operation, moved(answer));
        });
    return commands.settle(operation);
  }

  static std::string moved(const StatusOr<controller::MoveLeader::Response>& answer) {
    if (!answer.ok()) return status_error(answer.status());
    if (!answer->error.ok()) return controller_error(answer->error);
    json::object fields;
    fields["leader"] = answer->leader;
    fields["leader_epoch"] = answer->leader_epoch;
    return ok_answer(std::move(fields));
  }

  static std::string set_configs(Commands& commands, Fields& fields) {
    const std::string type = fields.text("type");
    controller::IncrementalAlterConfigs request;
    controller::IncrementalAlterConfigs::Resource& resource = request.resources.emplace_back();
    const bool of_topic = type == "topic";
    const std::string name = fields.text("name", of_topic ? std::nullopt : std::optional<std::string>(""));
    resource.name = of_topic ? controller::kafka_topic_name(name) : name;
    resource.type = static_cast<std::int8_t>(of_topic ? controller::ConfigResourceType::topic
                                                      : controller::ConfigResourceType::broker);
    const json::object* configs = fields.object("configs");
    if (configs != nullptr) {
      for (const auto& field : *configs) {
        const json::value& value = field.value();
        controller::IncrementalAlterConfigs::Op& op = resource.ops.emplace_back();
        op.key = std::string(field.key().data(), field.key().size());
        op.op = static_cast<std::int8_t>(value.is_null() ? controller::AlterOp::remove
                                                         : controller::AlterOp::set);
        if (value.is_string()) {
          op.value = std::string(view(value.get_string()));
        } else if (!value.is_null()) {
          op.value = json::serialize(value);
        }
      }
    }
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    if (type != "topic" && type != "broker") {
      return error_answer("invalid_argument", "The field 'type' must be \"topic\" or \"broker\".");
    }
    if (resource.ops.empty()) return error_answer("invalid_argument", "The field 'configs' names no config.");
    const std::uint64_t operation = commands.begin();
    cluster(commands).alter_configs(
        request, [&commands, operation](StatusOr<controller::IncrementalAlterConfigs::Response> answer) {
          if (!answer.ok()) {
            commands.finish(operation, status_error(answer.status()));
          } else {
            const controller::Error& error = answer->results.front().error;
            commands.finish(operation, error.ok() ? ok_answer() : controller_error(error));
          }
        });
    return commands.settle(operation);
  }

  // One of the calls that name a broker and nothing else.
  template <void (Cluster::*kCall)(std::int32_t)>
  static std::string on_broker(Commands& commands, Fields& fields) {
    const auto broker = static_cast<std::int32_t>(fields.number("broker", std::nullopt, 0, 1'000'000));
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    if (!cluster(commands).has_broker(broker)) return no_broker(broker);
    (cluster(commands).*kCall)(broker);
    run_ready(commands);
    return ok_answer();
  }

  template <void (Cluster::*kCall)()>
  static std::string on_cluster(Commands& commands, Fields& fields) {
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    (cluster(commands).*kCall)();
    run_ready(commands);
    return ok_answer();
  }

  static NodeId node_named(Commands& commands, const std::string& name) {
    Links& links = cluster(commands).links();
    for (NodeId node = 1; node <= links.node_count(); ++node) {
      if (links.node_name(node) == name) return node;
    }
    return 0;
  }

  template <void (Links::*kCall)(NodeId, NodeId)>
  static std::string on_link(Commands& commands, Fields& fields) {
    const std::string from_name = fields.text("from");
    const std::string to_name = fields.text("to");
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    const NodeId from = node_named(commands, from_name);
    const NodeId to = node_named(commands, to_name);
    if (from == 0) return error_answer("not_found", "There is no node '" + from_name + "'.");
    if (to == 0) return error_answer("not_found", "There is no node '" + to_name + "'.");
    (cluster(commands).links().*kCall)(from, to);
    run_ready(commands);
    return ok_answer();
  }

  static std::string heal(Commands& commands, Fields& fields) {
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    cluster(commands).links().heal();
    run_ready(commands);
    return ok_answer();
  }

  static std::string set_latency(Commands& commands, Fields& fields) {
    const std::string from_name = fields.text("from");
    const std::string to_name = fields.text("to");
    LinkLatency latency;
    latency.base_ns = fields.number("base_us", 0, 0, kMaxMicroseconds) * kMicrosecond_ns;
    latency.tail_mean_ns = fields.number("tail_us", 0, 0, kMaxMicroseconds) * kMicrosecond_ns;
    latency.tail_ppm = static_cast<std::uint32_t>(fields.number("tail_ppm", 0, 0, kPpmAlways));
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    const NodeId from = node_named(commands, from_name);
    const NodeId to = node_named(commands, to_name);
    if (from == 0 || to == 0) {
      return error_answer("not_found", "There is no node '" + (from == 0 ? from_name : to_name) + "'.");
    }
    cluster(commands).links().set_latency(from, to, latency);
    return ok_answer();
  }

  static std::string reset_connection(Commands& commands, Fields& fields) {
    const auto connection = static_cast<ConnectionId>(fields.number("connection", std::nullopt, 0));
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    if (!cluster(commands).streams().exists(connection)) {
      return error_answer("not_found", "There is no connection " + std::to_string(connection) + ".");
    }
    cluster(commands).streams().reset_connection(connection);
    run_ready(commands);
    return ok_answer();
  }

  template <class Take>
  static void read_texts(const json::object* object, Take take) {
    if (object == nullptr) return;
    for (const auto& field : *object) {
      const std::string key(field.key().data(), field.key().size());
      const json::value& value = field.value();
      if (value.is_string()) {
        take(key, std::string(view(value.get_string())));
      } else {
        take(key, json::serialize(value));
      }
    }
  }

  // What follows at this instant belongs to the call.
  static void run_ready(Commands& commands) { cluster(commands).kernel().run_ready(); }
};

const CommandTable::Command* CommandTable::find(std::string_view name) {
  static constexpr Command kCommands[] = {
      {"create_topic", &create_topic},
      {"delete_topic", &delete_topic},
      {"move_leader", &move_leader},
      {"set_configs", &set_configs},
      {"crash_broker", &on_broker<&Cluster::crash>},
      {"stop_broker", &on_broker<&Cluster::stop>},
      {"restart_broker", &on_broker<&Cluster::restart>},
      {"pause_broker", &on_broker<&Cluster::pause>},
      {"resume_broker", &on_broker<&Cluster::resume>},
      {"close_port", &on_broker<&Cluster::close_port>},
      {"open_port", &on_broker<&Cluster::open_port>},
      {"crash_controller", &on_cluster<&Cluster::crash_controller>},
      {"restart_controller", &on_cluster<&Cluster::restart_controller>},
      {"block", &on_link<&Links::block>},
      {"unblock", &on_link<&Links::unblock>},
      {"clog", &on_link<&Links::clog>},
      {"unclog", &on_link<&Links::unclog>},
      {"heal", &heal},
      {"set_latency", &set_latency},
      {"reset_connection", &reset_connection},
  };
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

std::uint64_t Commands::begin() {
  const std::uint64_t operation = next_operation_++;
  operations_[operation];
  // Answers that nobody came for are forgotten, oldest first.
  while (operations_.size() > kKeptOperations) operations_.erase(operations_.begin());
  return operation;
}

void Commands::finish(std::uint64_t operation, std::string answer) {
  const auto found = operations_.find(operation);
  if (found == operations_.end()) return;
  found->second.done = true;
  found->second.answer = std::move(answer);
}

std::string Commands::settle(std::uint64_t operation) {
  Kernel& kernel = cluster_.kernel();
  kernel.run_ready();
  const auto found = operations_.find(operation);
  if (found != operations_.end() && found->second.done) {
    std::string answer = std::move(found->second.answer);
    operations_.erase(found);
    return answer;
  }
  json::object pending;
  pending["pending"] = operation;
  return ok_answer(std::move(pending));
}

std::string Commands::execute(std::string_view request) {
  const StatusOr<json::object> object = parse_object(request);
  if (!object.ok()) return error_answer("invalid_argument", message_of(object.status()));
  Fields fields(*object);
  const std::string name = fields.text("do");
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  const CommandTable::Command* command = CommandTable::find(name);
  const ControlCommands::Run run = command != nullptr ? command->run : ControlCommands::find(name);
  if (run == nullptr) return error_answer("invalid_argument", "There is no command '" + name + "'.");
  cluster_.kernel().record(0, "cluster.command"_label, hash_text(name));
  std::string answer;
  cluster_.kernel().guarded([&] { answer = run(*this, fields); });
  if (answer.empty()) return error_answer("finding", "The call violated an invariant; see the finding.");
  return answer;
}

}  // namespace wt::cluster
