#include "sim/kafka/handlers/partial_answer.h"

#include <map>

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/echo_errors.h"
#include "sim/kafka/handlers/service.h"
#include "sim/kafka/handlers/topic_shape.h"
#include "sim/kafka/wire/messages/fetch.h"
#include "sim/kafka/wire/messages/list_offsets.h"
#include "sim/kafka/wire/messages/metadata.h"
#include "sim/kafka/wire/messages/produce.h"
#include "sim/kafka/wire/messages/topics.h"

namespace wt::kafka {
namespace {

using schema::Elements;
using schema::Field;
using schema::FieldType;
using schema::Table;

constexpr Version kFirstFetchById = 13;

void* mutable_element(const Elements& elements, std::size_t i) {
  return const_cast<void*>(elements[i]);
}

bool means(const FaultDecision& fault, std::string_view topic, std::int32_t partition) {
  return (fault.topic.empty() || fault.topic == topic) && (!fault.partition || *fault.partition == partition);
}

Request with_body(const Request& request, AnyMessage body) {
  Request made;
  made.api = request.api;
  made.header = request.header;
  made.body = std::move(body);
  return made;
}

// Copies a request with some of its topics and partitions only.
class Selection {
 public:
  // `faulty`: those that the fault means; else the others.
  Selection(const RequestContext& context, const FaultDecision& fault, bool faulty)
      : context_(context), fault_(fault), faulty_(faulty) {}

  std::size_t kept() const noexcept { return kept_; }

  void copy(const Table& table, const void* from, void* to) {
    for (const Field& field : table.all()) {
      if (!field.versions.contains(context_.version())) continue;
      const void* list = schema::value_of(field, from);
      const bool is_names = list != nullptr && field.array != nullptr && field.type == FieldType::kString &&
                            std::string_view(field.name) == "topic_names";
      if (list == nullptr || (field.type != FieldType::kStruct && !is_names)) {
        copy_field(field, from, to, context_.version());
      } else if (is_names) {
        copy_names(field, list, place(field, to));
      } else if (const std::optional<TopicShape> shape = topic_shape(field)) {
        copy_topics(field, *shape, list, place(field, to));
      } else {
        copy_inner(field, list, place(field, to));
      }
    }
  }

 private:
  static void* place(const Field& field, void* to_object) {
    void* to = schema::member_of(field, to_object);
    return field.optional == nullptr ? to : field.optional->emplace(to);
  }
  // The next element of a list that grows.
  static void* grow(const Field& list, void* to) {
    const std::size_t size = list.array->size(to);
    list.array->resize(to, size + 1);
    return mutable_element(schema::elements_of(list, to), size);
  }
  bool keeps(std::string_view topic, std::int32_t partition) {
    const bool kept = means(fault_, topic, partition) == faulty_;
    kept_ += kept ? 1 : 0;
    return kept;
  }

  void copy_inner(const Field& field, const void* from, void* to) {
    if (field.array == nullptr) return copy(*field.element, from, to);
    const Elements elements = schema::elements_of(field, from);
    for (std::size_t i = 0; i < elements.count; ++i) copy(*field.element, elements[i], grow(field, to));
  }

  void copy_names(const Field& field, const void* from, void* to) {
    const Elements names = schema::elements_of(field, from);
    for (std::size_t i = 0; i < names.count; ++i) {
      const auto& name = schema::as<std::string>(names[i]);
      if (keeps(name, -1)) schema::as<std::string>(grow(field, to)) = name;
    }
  }

  void copy_topics(const Field& field, const TopicShape& shape, const void* from, void* to) {
    const Elements topics = schema::elements_of(field, from);
    for (std::size_t i = 0; i < topics.count; ++i) {
      std::string name(topic_name_in(shape, topics[i]));
      if (name.empty()) name = context_.broker.topic_name(topic_id_in(shape, topics[i]));
      const void* list =
          shape.partitions == nullptr ? nullptr : schema::value_of(*shape.partitions, topics[i]);
      if (list == nullptr) {
        if (keeps(name, -1)) copy_element(field, topics[i], grow(field, to), context_.version());
        continue;
      }
      const Elements partitions = schema::elements_of(*shape.partitions, list);
      std::vector<std::size_t> kept;
      for (std::size_t p = 0; p < partitions.count; ++p) {
        if (keeps(name, partition_in(shape, partitions[p]))) kept.push_back(p);
      }
      if (kept.empty()) continue;
      void* topic = grow(field, to);
      for (const Field& part : field.element->all()) {
        if (part.versions.contains(context_.version()) && &part != shape.partitions)
          copy_field(part, topics[i], topic, context_.version());
      }
      void* copies = place(*shape.partitions, topic);
      for (const std::size_t p : kept)
        copy_element(*shape.partitions, partitions[p], grow(*shape.partitions, copies), context_.version());
    }
  }

  const RequestContext& context_;
  const FaultDecision& fault_;
  bool faulty_;
  std::size_t kept_ = 0;
};

// Moves what an answer says of partitions over what another one says of them.
class Merge {
 public:
  explicit Merge(Version version) : version_(version) {}

  void into(const Table& table, const void* from, void* to) const {
    for (const Field& field : table.all()) {
      if (!field.versions.contains(version_) || field.type != FieldType::kStruct) continue;
      const void* list = schema::value_of(field, from);
      if (list == nullptr) continue;
      void* place = schema::member_of(field, to);
      if (field.optional != nullptr) {
        void* there = field.optional->get(place);
        place = there != nullptr ? there : field.optional->emplace(place);
      }
      if (const std::optional<TopicShape> shape = topic_shape(field)) {
        merge_topics(field, *shape, list, place);
      } else if (field.array == nullptr) {
        into(*field.element, list, place);
      } else {
        merge_lists(field, list, place);
      }
    }
  }

 private:
  // Lists of groups or transactions: both answers have them in the order of the request.
  void merge_lists(const Field& field, const void* from, void* to) const {
    const Elements theirs = schema::elements_of(field, from);
    const Elements ours = schema::elements_of(field, to);
    if (theirs.count != ours.count) return;
    for (std::size_t i = 0; i < ours.count; ++i) into(*field.element, theirs[i], mutable_element(ours, i));
  }

  void merge_topics(const Field& field, const TopicShape& shape, const void* from, void* to) const {
    const Elements topics = schema::elements_of(field, from);
    for (std::size_t i = 0; i < topics.count; ++i) {
      void* there = find_topic(field, shape, to, topics[i]);
      if (there == nullptr) {
        append(field, to, topics[i]);
      } else if (shape.partitions == nullptr || whole(shape, topics[i])) {
        replace(field, topics[i], there);
      } else {
        merge_partitions(shape, topics[i], there);
      }
    }
  }

  // An error of the topic itself, as in Metadata.
  static bool whole(const TopicShape& shape, const void* topic) {
    const void* list = schema::value_of(*shape.partitions, topic);
    return list == nullptr || shape.partitions->array->size(list) == 0;
  }

  void merge_partitions(const TopicShape& shape, const void* from, void* to) const {
    const Field& field = *shape.partitions;
    const Elements theirs = schema::elements_of(field, schema::value_of(field, from));
    void* list = schema::member_of(field, to);
    if (field.optional != nullptr) list = field.optional->get(list);
    if (list == nullptr) return;
    for (std::size_t i = 0; i < theirs.count; ++i) {
      void* there = nullptr;
      const Elements ours = schema::elements_of(field, list);
      for (std::size_t p = 0; p < ours.count && there == nullptr; ++p) {
        if (partition_in(shape, ours[p]) == partition_in(shape, theirs[i])) there = mutable_element(ours, p);
      }
      if (there == nullptr) append(field, list, theirs[i]);
      if (there != nullptr) replace(field, theirs[i], there);
    }
  }

  static void* find_topic(const Field& field, const TopicShape& shape, void* list, const void* topic) {
    const Elements topics = schema::elements_of(field, list);
    const Uuid id = topic_id_in(shape, topic);
    const std::string_view name = topic_name_in(shape, topic);
    for (std::size_t i = 0; i < topics.count; ++i) {
      const bool same_name = !name.empty() && topic_name_in(shape, topics[i]) == name;
      const bool same_id = !id.is_zero() && topic_id_in(shape, topics[i]) == id;
      if (same_name || same_id) return mutable_element(topics, i);
    }
    return nullptr;
  }
  void append(const Field& list, void* to, const void* element) const {
    const std::size_t size = list.array->size(to);
    list.array->resize(to, size + 1);
    replace(list, element, mutable_element(schema::elements_of(list, to), size));
  }
  void replace(const Field& field, const void* from, void* to) const {
    copy_element(field, from, to, version_);
  }

  Version version_;
};

bool has_error(const Table& table, Version version) {
  for (const Field& field : table.all()) {
    if (!field.versions.contains(version)) continue;
    if (field.hint == schema::Hint::kErrorCode) return true;
    if (field.type == FieldType::kStruct && has_error(*field.element, version)) return true;
  }
  return false;
}

// Whether topics with errors are anywhere in such a message.
bool tells_of_topics(const Table& table, Version version) {
  for (const Field& field : table.all()) {
    if (!field.versions.contains(version) || field.type != FieldType::kStruct) continue;
    if (topic_shape(field) && has_error(*field.element, version)) return true;
    if (tells_of_topics(*field.element, version)) return true;
  }
  return false;
}

// The request as a whole has not failed.
void clear_top_errors(AnyMessage& response, Version version) {
  for (const Field& field : response.table().all()) {
    if (!field.versions.contains(version) || field.hint != schema::Hint::kErrorCode) continue;
    if (field.array == nullptr) schema::store_16(schema::member_of(field, response.object()), 0);
  }
}

AnyMessage faulty_metadata(const FaultDecision& fault, const FaultNames& names) {
  AnyMessage message(MetadataRequest::kTable);
  auto& topics = message.get<MetadataRequest>()->topics.emplace();
  for (const auto& [topic, partition] : names.partitions) {
    if (means(fault, topic, partition)) topics.emplace_back().name = topic;
  }
  return message;
}

// With the partitions of its session, which the request need not name.
AnyMessage faulty_fetch(const RequestContext& context, const FaultDecision& fault, const FaultNames& names) {
  std::map<std::string, std::vector<std::int32_t>> faulty;
  for (const auto& [topic, partition] : names.partitions) {
    if (means(fault, topic, partition)) faulty[topic].push_back(partition);
  }
  AnyMessage message(FetchRequest::kTable);
  for (const auto& [name, partitions] : faulty) {
    FetchRequest::FetchTopic& topic = message.get<FetchRequest>()->topics.emplace_back();
    if (context.version() < kFirstFetchById) topic.topic = name;
    const controller::TopicState* known = context.broker.image().topic(name);
    if (context.version() >= kFirstFetchById && known != nullptr) topic.topic_id = known->topic_id;
    for (const std::int32_t partition : partitions) topic.partitions.emplace_back().partition = partition;
  }
  return message;
}

// Only what the fault means.
AnyMessage faulty_part(const RequestContext& context, const FaultDecision& fault, const FaultNames& names) {
  const AnyMessage& body = context.request.body;
  if (const auto* request = body.get<MetadataRequest>(); request != nullptr && !request->topics)
    return faulty_metadata(fault, names);
  if (body.get<FetchRequest>() != nullptr) return faulty_fetch(context, fault, names);
  AnyMessage part(body.table());
  Selection(context, fault, true).copy(body.table(), body.object(), part.object());
  return part;
}

// Each item of the request with the code, also where this API would tell an error of the whole once.
Reply refuse_items(const RequestContext& context, ErrorCode code) {
  const AnyMessage& body = context.request.body;
  const bool own = body.get<ProduceRequest>() != nullptr || body.get<FetchRequest>() != nullptr ||
                   body.get<ListOffsetsRequest>() != nullptr || body.get<MetadataRequest>() != nullptr ||
                   body.get<CreateTopicsRequest>() != nullptr;
  if (own) return error_reply(context, code);
  AnyMessage response(*context.request.api->response);
  echo_errors(body.table(), body.object(), response.table(), response.object(), context.version(), code,
              ErrorLevels::all);
  return Reply(std::move(response));
}

// What the client was told of these partitions is not what the session believes.
void forget_told(const RequestContext& context, const FaultDecision& fault) {
  const auto* request = context.request.body.get<FetchRequest>();
  if (request == nullptr || request->session_id == 0) return;
  FetchSession* session = context.service.fetch_sessions().find(request->session_id);
  if (session == nullptr) return;
  for (FetchItem& item : session->items) {
    const std::string& name = item.target.topic.empty() ? item.known_name : item.target.topic;
    if (means(fault, name, item.target.partition)) item.told_high_watermark = -1;
  }
}

}  // namespace

bool is_partial(const RequestContext& context, const FaultDecision& fault) {
  if (fault.topic.empty() && !fault.partition) return false;
  return tells_of_topics(*context.request.api->response, context.version());
}

std::optional<Request> without_faulty(const RequestContext& context, const FaultDecision& fault) {
  const AnyMessage& body = context.request.body;
  AnyMessage rest(body.table());
  if (body.get<FetchRequest>() != nullptr) {
    copy_struct(body.table(), body.object(), rest.object(), context.version());
    rest.get<FetchRequest>()->max_wait_ms = 0;
    return with_body(context.request, std::move(rest));
  }
  Selection others(context, fault, false);
  others.copy(body.table(), body.object(), rest.object());
  // Metadata tells of brokers too.
  if (others.kept() == 0 && body.get<MetadataRequest>() == nullptr) return std::nullopt;
  return with_body(context.request, std::move(rest));
}

Reply with_errors(const RequestContext& context, const FaultDecision& fault, const FaultNames& names,
                  Reply reply) {
  const Request part = with_body(context.request, faulty_part(context, fault, names));
  const RequestContext narrowed{context.process,    context.broker, context.service,
                                context.connection, part,           context.client_id};
  Reply errors = refuse_items(narrowed, static_cast<ErrorCode>(fault.error_code));
  if (errors.kind != Reply::Kind::answer) return errors;
  clear_top_errors(errors.body, context.version());
  forget_told(context, fault);
  if (!reply.body) return errors;
  Merge(context.version()).into(errors.body.table(), errors.body.object(), reply.body.object());
  return reply;
}

}  // namespace wt::kafka
