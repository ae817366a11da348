// DescribeUserScramCredentials (50), AlterUserScramCredentials (51).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct DescribeUserScramCredentialsRequest {
  struct UserName {
    std::string name;
    WT_HAS_TABLE;
  };
  std::optional<std::vector<UserName>> users = std::vector<UserName>{};
  WT_HAS_TABLE;
};

struct DescribeUserScramCredentialsResponse {
  struct CredentialInfo {
    std::int8_t mechanism = 0;
    std::int32_t iterations = 0;
    WT_HAS_TABLE;
  };
  struct DescribeUserScramCredentialsResult {
    std::string user;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    std::vector<CredentialInfo> credential_infos;
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  ErrorCode error_code = ErrorCode::kNone;
  std::optional<std::string> error_message = std::string{};
  std::vector<DescribeUserScramCredentialsResult> results;
  WT_HAS_TABLE;
};

struct AlterUserScramCredentialsRequest {
  struct ScramCredentialDeletion {
    std::string name;
    std::int8_t mechanism = 0;
    WT_HAS_TABLE;
  };
  struct ScramCredentialUpsertion {
    std::string name;
    std::int8_t mechanism = 0;
    std::int32_t iterations = 0;
    Slice salt;
    Slice salted_password;
    WT_HAS_TABLE;
  };
  std::vector<ScramCredentialDeletion> deletions;
  std::vector<ScramCredentialUpsertion> upsertions;
  WT_HAS_TABLE;
};

struct AlterUserScramCredentialsResponse {
  struct AlterUserScramCredentialsResult {
    std::string user;
    ErrorCode error_code = ErrorCode::kNone;
    std::optional<std::string> error_message = std::string{};
    WT_HAS_TABLE;
  };
  std::int32_t throttle_time_ms = 0;
  std::vector<AlterUserScramCredentialsResult> results;
  WT_HAS_TABLE;
};

}  // namespace wt::kafka
