// DescribeClientQuotas (48) and AlterClientQuotas (49).
#include <algorithm>
#include <bit>
#include <map>

#include "sim/broker/broker.h"
#include "sim/kafka/handlers/controller_errors.h"
#include "sim/kafka/handlers/handlers.h"
#include "sim/kafka/wire/messages/client_quotas.h"
#include "sim/kernel/kernel.h"

namespace wt::kafka {
namespace {

constexpr DurationNs kAlterTimeout_ns = 30 * kSecond_ns;
constexpr std::int8_t kExact = 0;
constexpr std::int8_t kDefault = 1;
constexpr std::int8_t kAny = 2;

using Component = DescribeClientQuotasRequest::ComponentData;

struct Refused {
  ErrorCode code = ErrorCode::kNone;
  std::string message;
};

bool is_known_type(std::string_view type) {
  return type == "user" || type == "client-id" || type == "ip";
}

// Which entities a request asks for.
class Filter {
 public:
  explicit Filter(bool strict) : strict_(strict) {}

  Refused add(const Component& component) {
    const std::string& type = component.entity_type;
    if (type.empty()) return {ErrorCode::kInvalidRequest, "Invalid empty entity type."};
    if (wanted_.contains(type)) {
      return {ErrorCode::kInvalidRequest,
              "Entity type " + type + " cannot appear more than once in the filter."};
    }
    if (!is_known_type(type)) return {ErrorCode::kUnsupportedVersion, "Unsupported entity type " + type};
    switch (component.match_type) {
      case kExact:
        if (component.match) break;
        return {ErrorCode::kInvalidRequest,
                "Request specified MATCH_TYPE_EXACT, but set match string to null."};
      case kDefault:
        if (!component.match) break;
        return {ErrorCode::kInvalidRequest,
                "Request specified MATCH_TYPE_DEFAULT, but also specified a match string."};
      case kAny:
        if (!component.match) break;
        return {ErrorCode::kInvalidRequest,
                "Request specified MATCH_TYPE_SPECIFIED, but also specified a match string."};
      default:
        return {ErrorCode::kInvalidRequest, "Unknown match type " + std::to_string(component.match_type)};
    }
    wanted_[type] = component;
    return {};
  }
  Refused check() const {
    if (!wanted_.contains("ip") || wanted_.size() == 1) return {};
    return {
        ErrorCode::kInvalidRequest,
        "Invalid entity filter component combination. IP filter component should not be used with user or "
        "clientId filter component."};
  }
  bool matches(const controller::QuotaEntity& entity) const {
    for (const auto& [type, component] : wanted_) {
      const auto found = entity.find(type);
      if (found == entity.end()) return false;
      if (component.match_type != kAny && found->second != component.match) return false;
    }
    return !strict_ || entity.size() == wanted_.size();
  }

 private:
  bool strict_;
  std::map<std::string, Component> wanted_;
};

// The order in which a broker tells the parts of an entity: that of its hash table.
constexpr std::string_view kPartOrder[] = {"client-id", "user", "ip"};

template <class Entity>
void name_entity(const controller::QuotaEntity& entity, std::vector<Entity>& out) {
  const auto add = [&out](const std::string& type, const auto& name) {
    auto& part = out.emplace_back();
    part.entity_type = type;
    part.entity_name = name;
  };
  for (const std::string_view type : kPartOrder) {
    const auto part = entity.find(std::string(type));
    if (part != entity.end()) add(part->first, part->second);
  }
  for (const auto& [type, name] : entity) {
    if (std::find(std::begin(kPartOrder), std::end(kPartOrder), type) == std::end(kPartOrder))
      add(type, name);
  }
}

controller::AlterClientQuotas to_controller(const AlterClientQuotasRequest& request) {
  controller::AlterClientQuotas wanted;
  wanted.validate_only = request.validate_only;
  for (const auto& entry : request.entries) {
    auto& target = wanted.entries.emplace_back();
    for (const auto& part : entry.entity) target.entity.emplace_back(part.entity_type, part.entity_name);
    for (const auto& op : entry.ops) {
      auto& change = target.ops.emplace_back();
      change.key = op.key;
      if (!op.remove) change.value_bits = std::bit_cast<std::uint64_t>(op.value);
    }
  }
  return wanted;
}

}  // namespace

Task<Reply> handle_describe_client_quotas(RequestContext& context) {
  const auto& request = context.body<DescribeClientQuotasRequest>();
  Filter filter(request.strict);
  Refused refused;
  for (const Component& component : request.components) {
    if (refused.code == ErrorCode::kNone) refused = filter.add(component);
  }
  if (refused.code == ErrorCode::kNone) refused = filter.check();
  DescribeClientQuotasResponse response;
  response.error_code = refused.code;
  if (refused.code != ErrorCode::kNone) {
    response.error_message = refused.message;
    response.entries.reset();
    co_return answer_with(std::move(response));
  }
  response.entries.emplace();
  for (const auto& [entity, quotas] : context.broker.image().quotas()) {
    if (!filter.matches(entity)) continue;
    auto& entry = response.entries->emplace_back();
    name_entity(entity, entry.entity);
    for (const auto& [key, bits] : quotas) {
      auto& value = entry.values.emplace_back();
      value.key = key;
      value.value = std::bit_cast<decltype(value.value)>(bits);
    }
  }
  co_return answer_with(std::move(response));
}

Task<Reply> handle_alter_client_quotas(RequestContext& context) {
  const auto& request = context.body<AlterClientQuotasRequest>();
  const controller::AlterClientQuotas wanted = to_controller(request);
  controller::MetadataFollower& follower = context.broker.follower();
  auto answer = co_await follower.ask(wanted, kAlterTimeout_ns);
  if (!answer.ok()) co_return error_reply(context, ErrorCode::kRequestTimedOut);
  co_await follower.until_offset(answer->end_offset);
  AlterClientQuotasResponse response;
  for (const auto& from : answer->results) {
    auto& result = response.entries.emplace_back();
    result.error_code = error_of(from.error);
    result.error_message = message_of_error(from.error);
    name_entity(from.entity, result.entity);
  }
  co_return answer_with(std::move(response));
}

}  // namespace wt::kafka
