// From the broker's refusals and look-ups to Kafka's error codes and leader hints.
#pragma once

#include <algorithm>

#include "sim/broker/broker.h"
#include "sim/kafka/wire/error_code.h"

namespace wt::kafka {

ErrorCode error_of(broker::Refusal refusal);
// `by_id`: the request named the topic by its id.
ErrorCode error_of(broker::Lookup lookup, bool by_id);

// Adds the address of a hinted leader, once.
template <class Endpoints>
void add_endpoint(Endpoints& endpoints, const broker::Broker& broker, std::int32_t leader) {
  const bool known = std::any_of(endpoints.begin(), endpoints.end(),
                                 [leader](const auto& endpoint) { return endpoint.node_id == leader; });
  const std::optional<broker::Endpoint> address = broker.endpoint_of(leader);
  if (known || !address) return;
  auto& endpoint = endpoints.emplace_back();
  endpoint.node_id = leader;
  endpoint.host = address->host;
  endpoint.port = address->port;
  endpoint.rack = address->rack;
}

}  // namespace wt::kafka
