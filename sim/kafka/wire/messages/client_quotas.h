// DescribeClientQuotas (48), AlterClientQuotas (49).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct DescribeClientQuotasRequest {
  struct ComponentData {
    std::string entity_type;
    std::int8_t match_type = 0;
    std::optional<std::string> match = std::string{};
    WT_HAS_TABLE;
  };
  std::vector<ComponentData> components;
  bool strict = false;
  WT_HAS_TABLE;
};

struct DescribeClientQuotasResponse {
  struct EntityData {
    std::string entity_type;
    std::optional<std::string> entity_name = std::string{};
    WT_HAS_TABLE;
  };
  struct ValueData {
    std::string key;
    double value = 0;
    WT_HAS_TABLE;
  };
  struct EntryData {
    std::vector<EntityData> entity;
    std::vector<ValueData> values;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  std::optional<std::vector<EntryData>> entries = std::vector<EntryData>{};
  WT_HAS_TABLE;
};

struct AlterClientQuotasRequest {
  struct EntityData {
    std::string entity_type;
    std::optional<std::string> entity_name = std::string{};
    WT_HAS_TABLE;
  };
  struct OpData {
    std::string key;
    double value = 0;
    bool remove = false;
    WT_HAS_TABLE;
  };
  struct EntryData {
    std::vector<EntityData> entity;
    std::vector<OpData> ops;
    WT_HAS_TABLE;
  };
  std::vector<EntryData> entries;
  bool validate_only = false;
  WT_HAS_TABLE;
};

struct AlterClientQuotasResponse {
  struct EntityData {
    std::string entity_type;
    std::optional<std::string> entity_name = std::string{};
    WT_HAS_TABLE;
  };
  struct EntryData {
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    std::vector<EntityData> entity;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<EntryData> entries;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka
