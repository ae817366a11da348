// JoinGroup (11), Heartbeat (12), LeaveGroup (13), SyncGroup (14): the classic group protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct JoinGroupRequest {
  struct JoinGroupRequestProtocol {
    std::string name;
    Slice metadata;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::int32_t session_timeout_ms = 0;
  std::int32_t rebalance_timeout_ms = -1;
  std::string member_id;
  std::optional<std::string> group_instance_id;
  std::string protocol_type;
  std::vector<JoinGroupRequestProtocol> protocols;
  std::optional<std::string> reason;
  WT_HAS_TABLE;
};

struct JoinGroupResponse {
  struct JoinGroupResponseMember {
    std::string member_id;
    std::optional<std::string> group_instance_id;
    Slice metadata;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::int32_t generation_id = -1;
  std::optional<std::string> protocol_type;
  std::optional<std::string> protocol_name = std::string{};
  std::string leader;
  bool skip_assignment = false;
  std::string member_id;
  std::vector<JoinGroupResponseMember> members;
  WT_HAS_TABLE;
};

struct HeartbeatRequest {
  std::string group_id;
  std::int32_t generation_id = 0;
  std::string member_id;
  std::optional<std::string> group_instance_id;
  WT_HAS_TABLE;
};

struct HeartbeatResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  WT_HAS_TABLE;
};

// One member up to version 2, a list from 3 on.
struct LeaveGroupRequest {
  struct MemberIdentity {
    std::string member_id;
    std::optional<std::string> group_instance_id;
    std::optional<std::string> reason;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::string member_id;
  std::vector<MemberIdentity> members;
  WT_HAS_TABLE;
};

struct LeaveGroupResponse {
  struct MemberResponse {
    std::string member_id;
    std::optional<std::string> group_instance_id = std::string{};
    ErrorCode error_code = ErrorCode::kNone;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<MemberResponse> members;
  WT_HAS_TABLE;
};

struct SyncGroupRequest {
  struct SyncGroupRequestAssignment {
    std::string member_id;
    Slice assignment;
    WT_HAS_TABLE;
  };
  std::string group_id;
  std::int32_t generation_id = 0;
  std::string member_id;
  std::optional<std::string> group_instance_id;
  std::optional<std::string> protocol_type;
  std::optional<std::string> protocol_name;
  std::vector<SyncGroupRequestAssignment> assignments;
  WT_HAS_TABLE;
};

struct SyncGroupResponse {
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> protocol_type;
  std::optional<std::string> protocol_name;
  Slice assignment;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka
