// What SCRAM computes: digests, HMAC and PBKDF2 over bytes that are kept in strings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace wt::kafka::sasl {

enum class Digest : std::uint8_t { sha256, sha512 };

std::size_t size_bytes(Digest digest) noexcept;
std::string hash(Digest digest, std::string_view data);
std::string hmac(Digest digest, std::string_view key, std::string_view data);
std::string pbkdf2(Digest digest, std::string_view password, std::string_view salt, std::int32_t iterations);

// `a` and `b` have the same length.
std::string exclusive_or(std::string_view a, std::string_view b);

}  // namespace wt::kafka::sasl
