// DescribeAcls (29), CreateAcls (30), DeleteAcls (31).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct DescribeAclsRequest {
  std::int8_t resource_type_filter = 0;
  std::optional<std::string> resource_name_filter = std::string{};
  std::int8_t pattern_type_filter = 3;
  std::optional<std::string> principal_filter = std::string{};
  std::optional<std::string> host_filter = std::string{};
  std::int8_t operation = 0;
  std::int8_t permission_type = 0;
  WT_HAS_TABLE;
};

struct DescribeAclsResponse {
  struct AclDescription {
    std::string principal;
    std::string host;
    std::int8_t operation = 0;
    std::int8_t permission_type = 0;
    WT_HAS_TABLE;
  };
  struct DescribeAclsResource {
    std::int8_t resource_type = 0;
    std::string resource_name;
    std::int8_t pattern_type = 3;
    std::vector<AclDescription> acls;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  std::vector<DescribeAclsResource> resources;
  WT_HAS_TABLE;
};

struct CreateAclsRequest {
  struct AclCreation {
    std::int8_t resource_type = 0;
    std::string resource_name;
    std::int8_t resource_pattern_type = 3;
    std::string principal;
    std::string host;
    std::int8_t operation = 0;
    std::int8_t permission_type = 0;
    WT_HAS_TABLE;
  };
  std::vector<AclCreation> creations;
  WT_HAS_TABLE;
};

struct CreateAclsResponse {
  struct AclCreationResult {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<AclCreationResult> results;
  WT_HAS_TABLE;
};

struct DeleteAclsRequest {
  struct DeleteAclsFilter {
    std::int8_t resource_type_filter = 0;
    std::optional<std::string> resource_name_filter = std::string{};
    std::int8_t pattern_type_filter = 3;
    std::optional<std::string> principal_filter = std::string{};
    std::optional<std::string> host_filter = std::string{};
    std::int8_t operation = 0;
    std::int8_t permission_type = 0;
    WT_HAS_TABLE;
  };
  std::vector<DeleteAclsFilter> filters;
  WT_HAS_TABLE;
};

struct DeleteAclsResponse {
  struct DeleteAclsMatchingAcl {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    std::int8_t resource_type = 0;
    std::string resource_name;
    std::int8_t pattern_type = 3;
    std::string principal;
    std::string host;
    std::int8_t operation = 0;
    std::int8_t permission_type = 0;
    WT_HAS_TABLE;
  };
  struct DeleteAclsFilterResult {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    std::vector<DeleteAclsMatchingAcl> matching_acls;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<DeleteAclsFilterResult> filter_results;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka
