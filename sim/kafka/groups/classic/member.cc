#include "sim/kafka/groups/classic/member.h"

#include <algorithm>

#include "sim/kafka/groups/hash_order.h"
#include "sim/kernel/finding.h"

namespace wt::kafka {
namespace {

// Slot of `text` in a java.util.HashMap of `count` entries that has only grown.
std::uint32_t java_slot(std::string_view text, std::size_t count) {
  std::size_t slots = 16;
  while (count * 4 > slots * 3) slots *= 2;
  const std::uint32_t hash = java_hash(text);
  return (hash ^ (hash >> 16)) & static_cast<std::uint32_t>(slots - 1);
}

bool supported_by_all(const ClassicMembers& members, std::string_view name) {
  return std::all_of(members.begin(), members.end(),
                     [&](const auto& entry) { return entry.second.find_protocol(name) != nullptr; });
}

}  // namespace

const JoinProtocol* ClassicMember::find_protocol(std::string_view name) const {
  for (const JoinProtocol& protocol : protocols) {
    if (protocol.name == name) return &protocol;
  }
  return nullptr;
}

std::vector<JoinProtocol> own_protocols(const std::vector<JoinProtocol>& protocols) {
  std::vector<JoinProtocol> own;
  own.reserve(protocols.size());
  for (const JoinProtocol& protocol : protocols) {
    own.push_back(JoinProtocol{.name = protocol.name, .metadata = Slice::copy_of(protocol.metadata.bytes())});
  }
  return own;
}

bool same_protocols(const std::vector<JoinProtocol>& a, const std::vector<JoinProtocol>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const JoinProtocol& x, const JoinProtocol& y) {
    return x.name == y.name && x.metadata == y.metadata;
  });
}

bool any_supported_by_all(const ClassicMembers& members, const std::vector<JoinProtocol>& protocols) {
  return std::any_of(protocols.begin(), protocols.end(),
                     [&](const JoinProtocol& protocol) { return supported_by_all(members, protocol.name); });
}

std::string select_protocol(const ClassicMembers& members) {
  WT_INVARIANT(!members.empty(), "group.protocol", "nobody to vote");
  std::map<std::string_view, std::size_t> votes;
  for (const JoinProtocol& protocol : members.begin()->second.protocols) {
    if (supported_by_all(members, protocol.name)) votes[protocol.name] = 0;
  }
  for (const auto& [id, member] : members) {
    const auto choice =
        std::find_if(member.protocols.begin(), member.protocols.end(),
                     [&](const JoinProtocol& protocol) { return votes.contains(protocol.name); });
    WT_INVARIANT(choice != member.protocols.end(), "group.protocol", "members without a common protocol");
    ++votes[choice->name];
  }
  const auto voted = static_cast<std::size_t>(
      std::count_if(votes.begin(), votes.end(), [](const auto& entry) { return entry.second > 0; }));
  const auto better = [&](const auto& a, const auto& b) {
    if (a.second != b.second) return a.second > b.second;
    return java_slot(a.first, voted) < java_slot(b.first, voted);
  };
  return std::string(std::min_element(votes.begin(), votes.end(), better)->first);
}

std::optional<std::vector<std::string>> subscribed_topics(const Slice& metadata) {
  const auto* at = metadata.data();
  std::size_t left = metadata.size();
  const auto number = [&](std::size_t size_bytes) -> std::optional<std::int32_t> {
    if (left < size_bytes) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size_bytes; ++i) value = (value << 8) | at[i];
    at += size_bytes;
    left -= size_bytes;
    return size_bytes == 2 ? static_cast<std::int16_t>(value) : static_cast<std::int32_t>(value);
  };
  const auto version = number(2);
  const auto count = number(4);
  if (!version || *version < 0 || !count || *count < 0) return std::nullopt;
  std::vector<std::string> topics;
  for (std::int32_t i = 0; i < *count; ++i) {
    const auto size = number(2);
    if (!size || *size < 0 || left < static_cast<std::size_t>(*size)) return std::nullopt;
    topics.emplace_back(reinterpret_cast<const char*>(at), static_cast<std::size_t>(*size));
    at += *size;
    left -= static_cast<std::size_t>(*size);
  }
  return topics;
}

}  // namespace wt::kafka
