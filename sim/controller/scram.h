// What the metadata keeps of a user's password for SCRAM.
#pragma once

#include <cstdint>
#include <string>

namespace wt::controller {

// Mechanisms by their number in the Kafka protocol.
inline constexpr std::int8_t kScramSha256 = 1;
inline constexpr std::int8_t kScramSha512 = 2;

inline constexpr std::int32_t kMinScramIterations = 4096;
inline constexpr std::int32_t kMaxScramIterations = 16384;

// Bytes, not text.
struct ScramCredential {
  std::string salt;
  std::string stored_key;
  std::string server_key;
  std::int32_t iterations = 0;
  friend bool operator==(const ScramCredential&, const ScramCredential&) = default;
};

}  // namespace wt::controller
