// Client quotas: kept in the metadata and given back; nothing here slows a client down.
#include <algorithm>

#include "sim/controller/planner.h"

namespace wt::controller {
namespace {

constexpr std::string_view kUser = "user";
constexpr std::string_view kClientId = "client-id";
constexpr std::string_view kIp = "ip";
constexpr std::size_t kMaxEntities = 10'000;

// What a quota may be worth.
enum class QuotaType : std::uint8_t { none, fraction, integer, long_integer };

QuotaType quota_type(const QuotaEntity& entity, std::string_view key) {
  if (entity.contains(std::string(kIp)))
    return key == "connection_creation_rate" ? QuotaType::integer : QuotaType::none;
  if (key == "producer_byte_rate" || key == "consumer_byte_rate") return QuotaType::long_integer;
  if (key == "request_percentage" || key == "controller_mutation_rate") return QuotaType::fraction;
  return QuotaType::none;
}

// Parts of a double, so that nothing is reckoned in floating point.
constexpr int kMantissaBits = 52;
constexpr int exponent_of(std::uint64_t bits) {
  return static_cast<int>((bits >> kMantissaBits) & 0x7ff) - 1023;
}
constexpr bool is_negative_or_zero(std::uint64_t bits) {
  return (bits >> 63) != 0 || bits == 0;
}
constexpr bool is_whole(std::uint64_t bits) {
  const int exponent = exponent_of(bits);
  if (exponent >= kMantissaBits) return true;
  if (exponent < 0) return false;
  return (bits & ((std::uint64_t{1} << (kMantissaBits - exponent)) - 1)) == 0;
}

Error invalid_request(std::string why) {
  return Error(ErrorCode::invalid_request, std::move(why));
}

Error duplicate(const QuotaEntity& entity) {
  std::string text;
  for (const auto& [type, name] : entity)
    text += (text.empty() ? "" : ", ") + type + "=" + name.value_or("null");
  return invalid_request("Ignoring duplicate entity ClientQuotaEntity(entries={" + text + "})");
}

// Addresses only: no simulated broker resolves names.
bool is_address(std::string_view text) {
  if (text == "localhost" || text.find(':') != std::string_view::npos) return true;
  int parts = 0;
  while (!text.empty()) {
    const std::size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    if (part.empty() || part.size() > 3 || part.find_first_not_of("0123456789") != std::string_view::npos)
      return false;
    int number = 0;
    for (const char digit : part) number = number * 10 + (digit - '0');
    if (number > 255) return false;
    ++parts;
    if (dot == std::string_view::npos) break;
    text.remove_prefix(dot + 1);
  }
  return parts == 4;
}

Error check_entity(const QuotaEntity& entity) {
  if (entity.empty()) return invalid_request("Invalid empty client quota entity");
  for (const auto& [type, name] : entity) {
    if (type != kUser && type != kClientId && type != kIp)
      return invalid_request("Unhandled client quota entity type: " + type);
    if (name && name->empty()) return invalid_request("Empty " + type + " not supported");
  }
  const auto ip = entity.find(std::string(kIp));
  if (ip == entity.end()) return {};
  if (entity.size() > 1) {
    return invalid_request(
        "Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId");
  }
  if (ip->second && !is_address(*ip->second))
    return invalid_request(*ip->second + " is not a valid IP or resolvable host.");
  return {};
}

Error check_value(const QuotaEntity& entity, const std::string& key, std::uint64_t value_bits) {
  const QuotaType type = quota_type(entity, key);
  if (type == QuotaType::none) return invalid_request("Invalid configuration key " + key);
  if (is_negative_or_zero(value_bits)) return invalid_request("Quota " + key + " must be greater than 0");
  if (type == QuotaType::fraction) return {};
  if (type == QuotaType::integer && exponent_of(value_bits) > 30)
    return invalid_request("Proposed value for " + key + " is too large for an INT.");
  if (exponent_of(value_bits) > 63)
    return invalid_request("Proposed value for " + key + " is too large for a LONG.");
  if (!is_whole(value_bits)) return invalid_request(key + " cannot be a fractional value.");
  return {};
}

}  // namespace

Error Planner::alter_quotas(const QuotaEntity& entity, const std::vector<AlterClientQuotas::Op>& ops) {
  std::map<std::string, std::optional<std::uint64_t>> wanted;
  for (const auto& op : ops) {
    if (!wanted.emplace(op.key, op.value_bits).second) return duplicate(entity);
  }
  Error error = check_entity(entity);
  for (const auto& [key, value_bits] : wanted) {
    if (error.ok() && value_bits) error = check_value(entity, key, *value_bits);
  }
  if (!error.ok()) return error;
  const auto found = image().quotas().find(entity);
  if (found == image().quotas().end() && image().quotas().size() >= kMaxEntities)
    return Error(ErrorCode::policy_violation, "There are quotas for too many entities.");
  const MetadataImage::Quotas before =
      found == image().quotas().end() ? MetadataImage::Quotas() : found->second;
  for (const auto& [key, value_bits] : wanted) {
    const auto now = before.find(key);
    const bool unchanged =
        value_bits ? now != before.end() && now->second == *value_bits : now == before.end();
    if (!unchanged) emit(ClientQuotaRecord{entity, key, value_bits});
  }
  return {};
}

AlterClientQuotas::Response Planner::plan(const AlterClientQuotas& request) {
  AlterClientQuotas::Response response;
  auto& results = response.results;
  for (const auto& entry : request.entries) {
    QuotaEntity entity;
    for (const auto& [type, name] : entry.entity) entity[type] = name;
    const auto seen = std::find_if(results.begin(), results.end(),
                                   [&entity](const auto& result) { return result.entity == entity; });
    if (seen != results.end()) {
      // What came first has been done all the same.
      seen->error = duplicate(entity);
      continue;
    }
    Error error = alter_quotas(entity, entry.ops);
    results.push_back(AlterClientQuotas::Result{std::move(entity), std::move(error)});
  }
  if (request.validate_only) discard();
  response.end_offset = image().end_offset();
  return response;
}

}  // namespace wt::controller
