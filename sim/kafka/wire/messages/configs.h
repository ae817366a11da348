// DescribeConfigs (32), AlterConfigs (33), IncrementalAlterConfigs (44).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct DescribeConfigsRequest {
  struct DescribeConfigsResource {
    std::int8_t resource_type = 0;
    std::string resource_name;
    std::optional<std::vector<std::string>> configuration_keys = std::vector<std::string>{};
    WT_HAS_TABLE;
  };
  std::vector<DescribeConfigsResource> resources;
  bool include_synonyms = false;
  bool include_documentation = false;
  WT_HAS_TABLE;
};

struct DescribeConfigsResponse {
  struct DescribeConfigsSynonym {
    std::string name;
    std::optional<std::string> value = std::string{};
    std::int8_t source = 0;
    WT_HAS_TABLE;
  };
  struct DescribeConfigsResourceResult {
    std::string name;
    std::optional<std::string> value = std::string{};
    bool read_only = false;
    std::int8_t config_source = -1;
    bool is_sensitive = false;
    std::vector<DescribeConfigsSynonym> synonyms;
    std::int8_t config_type = 0;
    std::optional<std::string> documentation = std::string{};
    WT_HAS_TABLE;
  };
  struct DescribeConfigsResult {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    std::int8_t resource_type = 0;
    std::string resource_name;
    std::vector<DescribeConfigsResourceResult> configs;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<DescribeConfigsResult> results;
  WT_HAS_TABLE;
};

struct AlterConfigsRequest {
  struct AlterableConfig {
    std::string name;
    std::optional<std::string> value = std::string{};
    WT_HAS_TABLE;
  };
  struct AlterConfigsResource {
    std::int8_t resource_type = 0;
    std::string resource_name;
    std::vector<AlterableConfig> configs;
    WT_HAS_TABLE;
  };
  std::vector<AlterConfigsResource> resources;
  bool validate_only = false;
  WT_HAS_TABLE;
};

struct AlterConfigsResponse {
  struct AlterConfigsResourceResponse {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    std::int8_t resource_type = 0;
    std::string resource_name;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<AlterConfigsResourceResponse> responses;
  WT_HAS_TABLE;
};

struct IncrementalAlterConfigsRequest {
  struct AlterableConfig {
    std::string name;
    std::int8_t config_operation = 0;
    std::optional<std::string> value = std::string{};
    WT_HAS_TABLE;
  };
  struct AlterConfigsResource {
    std::int8_t resource_type = 0;
    std::string resource_name;
    std::vector<AlterableConfig> configs;
    WT_HAS_TABLE;
  };
  std::vector<AlterConfigsResource> resources;
  bool validate_only = false;
  WT_HAS_TABLE;
};

struct IncrementalAlterConfigsResponse {
  struct AlterConfigsResourceResponse {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    std::int8_t resource_type = 0;
    std::string resource_name;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<AlterConfigsResourceResponse> responses;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka
