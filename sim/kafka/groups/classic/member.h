// A member of a classic group, and how members agree on a protocol.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kafka/groups/model/group.h"
#include "sim/kafka/wire/messages/classic_groups.h"

namespace wt::kafka {

using JoinProtocol = JoinGroupRequest::JoinGroupRequestProtocol;

struct ClassicMember {
  std::string id;
  std::optional<std::string> instance_id;  // of a static member
  std::string client_id;
  std::string client_host;
  std::int32_t rebalance_timeout_ms = 0;
  std::int32_t session_timeout_ms = 0;
  std::vector<JoinProtocol> protocols;  // in the order of preference
  Slice assignment;
  std::optional<Ticket> awaiting_join;
  std::optional<Ticket> awaiting_sync;
  bool is_new = false;  // has not been answered a JoinGroup yet

  bool is_static() const { return instance_id.has_value(); }
  const JoinProtocol* find_protocol(std::string_view name) const;
  // Whether waiting for an answer excuses it from heartbeats. A new member may have gone while its JoinGroup
  // waited, so it is not excused.
  bool is_excused() const { return !is_new && (awaiting_join || awaiting_sync); }
};

// By member id.
using ClassicMembers = std::map<std::string, ClassicMember, std::less<>>;

// Protocols with copies of their metadata, so that they do not keep the block that a request came in.
std::vector<JoinProtocol> own_protocols(const std::vector<JoinProtocol>& protocols);
bool same_protocols(const std::vector<JoinProtocol>& a, const std::vector<JoinProtocol>& b);
// Whether every member supports one of these. With no members: yes, if there is one.
bool any_supported_by_all(const ClassicMembers& members, const std::vector<JoinProtocol>& protocols);

// The protocol with most votes among those that every member supports; each member votes for the first of
// its list. Of equals the one that comes first in a Java hash map, as in a real broker. `members` is not
// empty, and they have a protocol in common.
std::string select_protocol(const ClassicMembers& members);

// The topics that a consumer names in its metadata (ConsumerProtocolSubscription; all versions begin with
// version and topics). Nothing when it is something else.
std::optional<std::vector<std::string>> subscribed_topics(const Slice& metadata);

}  // namespace wt::kafka
