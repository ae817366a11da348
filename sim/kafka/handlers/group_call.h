// From a request to what the group coordinator needs to know of it.
#pragma once

#include "sim/kafka/groups/coordinator.h"
#include "sim/kafka/handlers/context.h"
#include "sim/kafka/handlers/service.h"

namespace wt::kafka {

// `group` must outlive the call.
inline GroupCall group_call(const RequestContext& context, std::string_view group) {
  GroupCall call;
  call.group = group;
  call.client_id = context.client_id;
  call.api_key = context.request.api->key;
  call.api_version = context.version();
  call.connection = context.connection.id;
  return call;
}

inline Caller group_caller(const RequestContext& context) {
  Caller caller;
  caller.client_id = context.client_id;
  caller.connection = context.connection.id;
  caller.api_version = context.version();
  return caller;
}

}  // namespace wt::kafka
