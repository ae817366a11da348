#include "sim/formats/base64.h"

namespace wt {
namespace {

std::string_view alphabet_of(Base64Alphabet alphabet) {
  return alphabet == Base64Alphabet::kUrl
             ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
             : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

}  // namespace

std::string base64_encode(std::span<const std::uint8_t> bytes, Base64Alphabet alphabet) {
  const std::string_view digits = alphabet_of(alphabet);
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) group = group << 8 | (i < count ? bytes[at + i] : 0U);
    for (std::size_t i = 0; i <= count; ++i) text.push_back(digits[group >> (18 - 6 * i) & 63]);
    if (alphabet == Base64Alphabet::kStandard) text.append(3 - count, '=');
  }
  return text;
}

std::optional<std::vector<std::uint8_t>> base64_decode(std::string_view text, Base64Alphabet alphabet) {
  const std::string_view digits = alphabet_of(alphabet);
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::vector<std::uint8_t> bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<std::uint8_t>(group >> bits));
  }
  return bytes;
}

}  // namespace wt
