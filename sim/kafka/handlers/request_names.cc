#include "sim/kafka/handlers/request_names.h"

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kafka/handlers/topic_shape.h"
#include "sim/kafka/wire/messages/coordinator.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/messages/metadata.h"

namespace wt::kafka {
namespace {

using schema::Elements;
using schema::Field;
using schema::FieldType;
using schema::Table;

constexpr std::int8_t kTopicResource = 2;
constexpr std::int8_t kGroupResource = 32;
constexpr std::int8_t kGroupKey = 0;
constexpr std::int8_t kTransactionKey = 1;

class Walk {
 public:
  Walk(const RequestContext& context, FaultNames& names) : context_(context), names_(names) {}

  void visit(const Table& table, const void* object) {
    take_resource(table, object);
    for (const Field& field : table.all()) {
      if (!field.versions.contains(context_.version())) continue;
      const void* value = schema::value_of(field, object);
      if (value == nullptr) continue;
      if (field.type == FieldType::kString) {
        take_texts(field, value);
      } else if (field.type == FieldType::kStruct) {
        take_structs(field, value);
      }
    }
  }
  void add_partition(std::string_view topic, std::int32_t partition) {
    if (topic.empty()) return;
    FaultNames::Partition& named = names_.partitions.emplace_back();
    named.topic = topic;
    named.partition = partition;
  }

 private:
  void take_texts(const Field& field, const void* value) {
    const std::string_view name = field.name;
    const bool groups =
        name == "group_id" || name == "group_ids" || name == "groups" || name == "groups_names";
    const bool transactions =
        name == "transactional_id" || name == "transactional_ids" || name == "v3_and_below_transactional_id";
    const bool topics = name == "topic_names" || name == "subscribed_topic_names";
    if (!groups && !transactions && !topics) return;
    const auto take = [&](const void* one) {
      const auto& text = schema::as<std::string>(one);
      if (text.empty()) return;
      if (groups) names_.groups.push_back(text);
      if (transactions) names_.transactional_ids.push_back(text);
      if (topics) add_partition(text, -1);
    };
    if (field.array == nullptr) return take(value);
    const Elements elements = schema::elements_of(field, value);
    for (std::size_t i = 0; i < elements.count; ++i) take(elements[i]);
  }

  void take_structs(const Field& field, const void* value) {
    if (field.array == nullptr) return visit(*field.element, value);
    if (std::string_view(field.name) == "forgotten_topics_data") return;
    const std::optional<TopicShape> shape = topic_shape(field);
    const Elements elements = schema::elements_of(field, value);
    for (std::size_t i = 0; i < elements.count; ++i) {
      if (shape) take_topic(*shape, elements[i]);
      if (!shape) visit(*field.element, elements[i]);
    }
  }

  void take_topic(const TopicShape& shape, const void* topic) {
    std::string name(topic_name_in(shape, topic));
    if (name.empty()) name = context_.broker.topic_name(topic_id_in(shape, topic));
    const void* list = shape.partitions == nullptr ? nullptr : schema::value_of(*shape.partitions, topic);
    if (list == nullptr) return add_partition(name, -1);
    const Elements partitions = schema::elements_of(*shape.partitions, list);
    for (std::size_t i = 0; i < partitions.count; ++i)
      add_partition(name, partition_in(shape, partitions[i]));
  }

  // A resource of the config APIs.
  void take_resource(const Table& table, const void* object) {
    const std::string* name = nullptr;
    std::int8_t type = 0;
    for (const Field& field : table.all()) {
      const std::string_view what = field.name;
      if (what == "resource_name" && field.type == FieldType::kString)
        name = static_cast<const std::string*>(schema::value_of(field, object));
      if (what == "resource_type" && field.type == FieldType::kInt8)
        type = schema::as<std::int8_t>(schema::value_of(field, object));
    }
    if (name == nullptr || name->empty()) return;
    if (type == kTopicResource) add_partition(*name, -1);
    if (type == kGroupResource) names_.groups.push_back(*name);
  }

  const RequestContext& context_;
  FaultNames& names_;
};

void take_coordinator_keys(const FindCoordinatorRequest& request, FaultNames& names) {
  std::vector<std::string>* list = nullptr;
  if (request.key_type == kGroupKey) list = &names.groups;
  if (request.key_type == kTransactionKey) list = &names.transactional_ids;
  if (list == nullptr) return;
  if (!request.key.empty()) list->push_back(request.key);
  list->insert(list->end(), request.coordinator_keys.begin(), request.coordinator_keys.end());
}

// In version 0 an empty list stands for all.
bool asks_for_all(const MetadataRequest& request, Version version) {
  return !request.topics || (version == 0 && request.topics->empty());
}

void take_session(const RequestContext& context, const FetchRequest& request, Walk& walk) {
  if (request.session_id == 0) return;
  FetchSession* session = context.service.fetch_sessions().find(request.session_id);
  if (session == nullptr) return;
  for (const FetchItem& item : session->items) {
    const std::string& topic = item.target.topic;
    walk.add_partition(topic.empty() ? context.broker.topic_name(item.target.topic_id) : topic,
                       item.target.partition);
  }
}

}  // namespace

FaultNames names_in(const RequestContext& context) {
  FaultNames names;
  Walk walk(context, names);
  const AnyMessage& body = context.request.body;
  const auto* metadata = body.get<MetadataRequest>();
  if (metadata != nullptr && asks_for_all(*metadata, context.version())) {
    context.broker.image().for_each_topic(
        [&walk](const controller::TopicState& topic) { walk.add_partition(topic.name, -1); });
    return names;
  }
  walk.visit(body.table(), body.object());
  if (const auto* request = body.get<FindCoordinatorRequest>()) take_coordinator_keys(*request, names);
  if (const auto* request = body.get<FetchRequest>()) take_session(context, *request, walk);
  return names;
}

}  // namespace wt::kafka
