// DescribeGroups (15), ListGroups (16), DeleteGroups (42).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct DescribeGroupsRequest {
  std::vector<std::string> groups;
  bool include_authorized_operations = false;
  WT_HAS_TABLE;
};

struct DescribeGroupsResponse {
  struct DescribedGroupMember {
    std::string member_id;
    std::optional<std::string> group_instance_id;
    std::string client_id;
    std::string client_host;
    Slice member_metadata;
    Slice member_assignment;
    WT_HAS_TABLE;
  };
  struct DescribedGroup {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    std::string group_id;
    std::string group_state;
    std::string protocol_type;
    std::string protocol_data;
    std::vector<DescribedGroupMember> members;
    std::int32_t authorized_operations = std::numeric_limits<std::int32_t>::min();
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<DescribedGroup> groups;
  WT_HAS_TABLE;
};

struct ListGroupsRequest {
  std::vector<std::string> states_filter;
  std::vector<std::string> types_filter;
  WT_HAS_TABLE;
};

struct ListGroupsResponse {
  struct ListedGroup {
    std::string group_id;
    std::string protocol_type;
    std::string group_state;
    std::string group_type;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<ListedGroup> groups;
  WT_HAS_TABLE;
};

struct DeleteGroupsRequest {
  std::vector<std::string> groups_names;
  WT_HAS_TABLE;
};

struct DeleteGroupsResponse {
  struct DeletableGroupResult {
    std::string group_id;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<DeletableGroupResult> results;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka
