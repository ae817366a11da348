// Base64 text of bytes: the standard alphabet with padding, or the URL alphabet without.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wt {

enum class Base64Alphabet : std::uint8_t { kStandard, kUrl };

std::string base64_encode(std::span<const std::uint8_t> bytes, Base64Alphabet alphabet);
// Nothing when a character is foreign or the length impossible. Padding is optional.
std::optional<std::vector<std::uint8_t>> base64_decode(std::string_view text, Base64Alphabet alphabet);

}  // namespace wt
