// CreateDelegationToken (38), RenewDelegationToken (39), ExpireDelegationToken (40), DescribeDelegationToken
// (41).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct CreateDelegationTokenRequest {
  struct CreatableRenewers {
    std::string principal_type;
    std::string principal_name;
    WT_HAS_TABLE;
  };
  std::optional<std::string> owner_principal_type = std::string{};
  std::optional<std::string> owner_principal_name = std::string{};
  std::vector<CreatableRenewers> renewers;
  std::int64_t max_lifetime_ms = 0;
  WT_HAS_TABLE;
};

struct CreateDelegationTokenResponse {
  ErrorCode error_code = ErrorCode::kNone;
  std::string principal_type;
  std::string principal_name;
  std::string token_requester_principal_type;
  std::string token_requester_principal_name;
  std::int64_t issue_timestamp_ms = 0;
  std::int64_t expiry_timestamp_ms = 0;
  std::int64_t max_timestamp_ms = 0;
  std::string token_id;
  Slice hmac;
  std::int32_t throttle_time_ms = 0;
  WT_HAS_TABLE;
};

struct RenewDelegationTokenRequest {
  Slice hmac;
  std::int64_t renew_period_ms = 0;
  WT_HAS_TABLE;
};

struct RenewDelegationTokenResponse {
  ErrorCode error_code = ErrorCode::kNone;
  std::int64_t expiry_timestamp_ms = 0;
  std::int32_t throttle_time_ms = 0;
  WT_HAS_TABLE;
};

struct ExpireDelegationTokenRequest {
  Slice hmac;
  std::int64_t expiry_time_period_ms = 0;
  WT_HAS_TABLE;
};

struct ExpireDelegationTokenResponse {
  ErrorCode error_code = ErrorCode::kNone;
  std::int64_t expiry_timestamp_ms = 0;
  std::int32_t throttle_time_ms = 0;
  WT_HAS_TABLE;
};

struct DescribeDelegationTokenRequest {
  struct DescribeDelegationTokenOwner {
    std::string principal_type;
    std::string principal_name;
    WT_HAS_TABLE;
  };
  std::optional<std::vector<DescribeDelegationTokenOwner>> owners =
      std::vector<DescribeDelegationTokenOwner>{};
  WT_HAS_TABLE;
};

struct DescribeDelegationTokenResponse {
  struct DescribedDelegationTokenRenewer {
    std::string principal_type;
    std::string principal_name;
    WT_HAS_TABLE;
  };
  struct DescribedDelegationToken {
    std::string principal_type;
    std::string principal_name;
    std::string token_requester_principal_type;
    std::string token_requester_principal_name;
    std::int64_t issue_timestamp = 0;
    std::int64_t expiry_timestamp = 0;
    std::int64_t max_timestamp = 0;
    std::string token_id;
    Slice hmac;
    std::vector<DescribedDelegationTokenRenewer> renewers;
    WT_HAS_TABLE;
  };
  ErrorCode error_code = ErrorCode::kNone;
  std::vector<DescribedDelegationToken> tokens;
  std::int32_t throttle_time_ms = 0;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka
