// query(): what only looks.
#include <utility>

#include "sim/cluster/commands.h"
#include "sim/cluster/control_queries.h"
#include "sim/cluster/json_fields.h"
#include "sim/controller/names.h"

namespace wt::cluster {
namespace {

json::array ids(const std::vector<std::int32_t>& from) {
  json::array out;
  for (const std::int32_t id : from) out.emplace_back(id);
  return out;
}

json::object describe(const PartitionView& view) {
  json::object out;
  out["topic"] = view.topic;
  out["partition"] = view.partition;
  out["topic_id"] = view.topic_id;
  out["leader"] = view.leader;
  out["leader_epoch"] = view.leader_epoch;
  out["log_start"] = view.log_start;
  out["leo"] = view.leo;
  out["hw"] = view.hw;
  out["lso"] = view.lso;
  out["replicas"] = ids(view.replicas);
  out["isr"] = ids(view.isr);
  out["writable"] = view.writable;
  return out;
}

std::string_view status_name(BrokerStatus status) {
  switch (status) {
    case BrokerStatus::running:
      return "running";
    case BrokerStatus::paused:
      return "paused";
    case BrokerStatus::down:
      return "down";
  }
  return "?";
}

json::string text(std::string_view from) {
  return json::string(from.data(), from.size());
}

std::string get_partition(Cluster& cluster, Fields& fields) {
  const std::string topic = controller::kafka_topic_name(fields.text("topic"));
  const auto number = static_cast<std::int32_t>(fields.number("partition", 0, 0, 1'000'000));
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  const auto view = cluster.partition(topic, number);
  if (!view) {
    return error_answer("not_found",
                        "There is no partition " + std::to_string(number) + " of a topic '" + topic + "'.");
  }
  return ok_answer(describe(*view));
}

std::string get_topic(Cluster& cluster, Fields& fields) {
  const std::string name = controller::kafka_topic_name(fields.text("topic"));
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  const controller::ImagePtr image = cluster.image();
  const controller::TopicState* topic = image == nullptr ? nullptr : image->topic(name);
  if (topic == nullptr) return error_answer("not_found", "There is no topic '" + name + "'.");
  json::object out;
  out["name"] = topic->name;
  out["topic_id"] = topic->topic_id.text();
  json::array partitions;
  for (std::int32_t number = 0; number < topic->partition_count(); ++number) {
    const auto view = cluster.partition(topic->name, number);
    if (view) partitions.emplace_back(describe(*view));
  }
  out["partitions"] = std::move(partitions);
  json::object configs;
  for (const auto& [key, value] : image->configs(controller::ConfigResourceType::topic, topic->name)) {
    configs[key] = value;
  }
  out["configs"] = std::move(configs);
  json::object properties;
  for (const auto& [key, value] : topic->properties) properties[key] = value;
  out["properties"] = std::move(properties);
  return ok_answer(std::move(out));
}

std::string get_topics(Cluster& cluster, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  json::array topics;
  const controller::ImagePtr image = cluster.image();
  if (image != nullptr) {
    image->for_each_topic([&](const controller::TopicState& topic) {
      json::object item;
      item["name"] = topic.name;
      item["topic_id"] = topic.topic_id.text();
      item["partitions"] = topic.partition_count();
      topics.emplace_back(std::move(item));
    });
  }
  json::object out;
  out["topics"] = std::move(topics);
  return ok_answer(std::move(out));
}

std::string get_brokers(Cluster& cluster, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  const controller::ImagePtr image = cluster.image();
  json::array brokers;
  for (const std::int32_t id : cluster.broker_ids()) {
    json::object item;
    item["id"] = id;
    item["status"] = text(status_name(cluster.status(id)));
    const controller::BrokerState* state = image == nullptr ? nullptr : image->broker(id);
    item["fenced"] = state == nullptr || state->fenced;
    if (state != nullptr && !state->endpoints.empty()) {
      item["address"] = state->endpoints.front().host + ":" + std::to_string(state->endpoints.front().port);
    }
    brokers.emplace_back(std::move(item));
  }
  json::object out;
  out["brokers"] = std::move(brokers);
  out["controller"] = cluster.controller() == nullptr ? "down" : "running";
  return ok_answer(std::move(out));
}

std::string get_points(Cluster&, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  json::array points;
  for (const std::string_view point : known_fault_points()) points.emplace_back(text(point));
  json::object out;
  out["points"] = std::move(points);
  return ok_answer(std::move(out));
}

std::string get_finding(Cluster& cluster, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  json::object out;
  const std::optional<Finding>& finding = cluster.kernel().finding();
  if (!finding) {
    out["finding"] = nullptr;
    return ok_answer(std::move(out));
  }
  json::object found;
  found["check"] = finding->check;
  found["message"] = finding->message;
  found["step"] = finding->step;
  found["time_ns"] = finding->time_ns;
  found["process"] = finding->process;
  found["last_events"] = finding->last_events;
  out["finding"] = std::move(found);
  return ok_answer(std::move(out));
}

std::string get_status(Cluster& cluster, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  Kernel& kernel = cluster.kernel();
  json::object out;
  out["cluster_id"] = cluster.cluster_id();
  out["time_ns"] = kernel.now();
  out["step"] = kernel.steps();
  out["settled"] = cluster.settled();
  out["connections"] = cluster.streams().open_connections();
  out["finding"] = kernel.finding().has_value();
  const TimeNs due_ns = kernel.next_due();
  if (due_ns != kNever_ns) out["next_event_ns"] = due_ns;
  return ok_answer(std::move(out));
}

std::string get_connections(Cluster& cluster, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  json::array connections;
  for (const std::int32_t id : cluster.broker_ids()) {
    for (const ConnectionId connection : cluster.streams().connections_of(cluster.broker_node(id))) {
      json::object item;
      item["connection"] = connection;
      item["broker"] = id;
      connections.emplace_back(std::move(item));
    }
  }
  json::object out;
  out["connections"] = std::move(connections);
  return ok_answer(std::move(out));
}

json::object describe(const GroupView& view) {
  json::object out;
  out["group"] = view.group;
  out["kind"] = view.kind;
  out["state"] = view.state;
  out["protocol_type"] = view.protocol_type;
  out["coordinator"] = view.coordinator;
  json::array members;
  for (const kafka::MemberView& member : view.members) {
    json::object item;
    item["member_id"] = member.member_id;
    if (member.instance_id) item["instance_id"] = *member.instance_id;
    item["client_id"] = member.client_id;
    members.emplace_back(std::move(item));
  }
  out["members"] = std::move(members);
  json::array offsets;
  for (const GroupView::Offset& offset : view.offsets) {
    json::object item;
    item["topic"] = offset.topic;
    item["partition"] = offset.partition;
    item["offset"] = offset.offset;
    item["metadata"] = offset.metadata;
    offsets.emplace_back(std::move(item));
  }
  out["offsets"] = std::move(offsets);
  return out;
}

std::string get_group(Cluster& cluster, Fields& fields) {
  const std::string id = fields.text("group");
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  const auto view = cluster.group(id);
  if (!view) return error_answer("not_found", "There is no group '" + id + "'.");
  return ok_answer(describe(*view));
}

std::string get_groups(Cluster& cluster, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  json::array groups;
  for (const std::string& id : cluster.groups()) {
    const auto view = cluster.group(id);
    if (!view) continue;
    json::object item;
    item["group"] = view->group;
    item["kind"] = view->kind;
    item["state"] = view->state;
    item["coordinator"] = view->coordinator;
    groups.emplace_back(std::move(item));
  }
  json::object out;
  out["groups"] = std::move(groups);
  return ok_answer(std::move(out));
}

std::string get_refusals(Cluster& cluster, Fields& fields) {
  fields.finish();
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  json::array refusals;
  for (const std::int32_t id : cluster.broker_ids()) {
    const kafka::KafkaService* service = cluster.kafka_service(id);
    if (service == nullptr) continue;
    for (const kafka::RefusedRequest& refused : service->refusals()) {
      json::object item;
      item["broker"] = id;
      item["connection"] = refused.connection;
      item["why"] = refused.why;
      item["detail"] = refused.detail;
      item["time_ns"] = refused.time_ns;
      refusals.emplace_back(std::move(item));
    }
  }
  json::object out;
  out["refusals"] = std::move(refusals);
  return ok_answer(std::move(out));
}

struct Query {
  std::string_view name;
  std::string (*run)(Cluster& cluster, Fields& fields);
};

constexpr Query kQueries[] = {
    {"partition", get_partition}, {"topic", get_topic},
    {"topics", get_topics},       {"brokers", get_brokers},
    {"points", get_points},       {"finding", get_finding},
    {"status", get_status},       {"connections", get_connections},
    {"refusals", get_refusals},   {"groups", get_groups},
    {"group", get_group},
};

}  // namespace

std::string Commands::query(std::string_view request) const {
  const StatusOr<json::object> object = parse_object(request);
  if (!object.ok()) return error_answer("invalid_argument", message_of(object.status()));
  Fields fields(*object);
  const std::string name = fields.text("get");
  if (!fields.ok()) return error_answer("invalid_argument", fields.error());
  if (name == "operation") {
    const auto id = static_cast<std::uint64_t>(fields.number("id", std::nullopt, 0));
    fields.finish();
    if (!fields.ok()) return error_answer("invalid_argument", fields.error());
    const auto found = operations_.find(id);
    if (found == operations_.end()) {
      return error_answer("not_found", "There is no operation " + std::to_string(id) + ".");
    }
    if (found->second.done) return found->second.answer;
    json::object pending;
    pending["pending"] = id;
    return ok_answer(std::move(pending));
  }
  for (const Query& query : kQueries) {
    if (query.name == name) return query.run(cluster_, fields);
  }
  if (const ControlQuery control = find_control_query(name)) return control(cluster_, fields);
  return error_answer("invalid_argument", "There is no query '" + name + "'.");
}

}  // namespace wt::cluster
