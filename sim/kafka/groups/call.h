// What a handler gives to the group coordinator, and what it gets back.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "sim/kafka/groups/model/group.h"
#include "sim/network/byte_stream.h"

namespace wt::kafka {

class GroupShard;

// Who is told first when the records of an operation cannot be written.
enum class RecordsOf : std::uint8_t {
  group,   // Group::on_append_failed decides what clients are told
  caller,  // whoever asked gets the code; the group does not hear of it
};

// The views must live until the answer is there.
struct GroupCall {
  std::string_view group;
  std::string_view client_id;
  std::int16_t api_key = -1;
  std::int16_t api_version = -1;
  ConnectionId connection = 0;
  RecordsOf records_of = RecordsOf::group;
};

// One step of a request, in its shard. It may change what a group keeps beside its records, adds records and
// answers to the outcome, and either answers its ticket or leaves it with a group that will.
using GroupOperation = std::function<void(GroupShard& shard, Ticket ticket, Outcome& outcome)>;

struct GroupAnswer {
  ErrorCode code = ErrorCode::kNone;  // set: the coordinator refuses, there is no response
  schema::AnyMessage response;

  bool ok() const noexcept { return code == ErrorCode::kNone; }
};

}  // namespace wt::kafka
