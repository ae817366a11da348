#include "sim/formats/uuid.h"

#include <algorithm>

#include "sim/formats/base64.h"

namespace wt {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

bool dash_follows(std::size_t byte) {
  return byte == 3 || byte == 5 || byte == 7 || byte == 9;
}

}  // namespace

std::string Uuid::text() const {
  return base64_encode(bytes, Base64Alphabet::kUrl);
}

std::optional<Uuid> Uuid::from_text(std::string_view text) {
  const auto decoded = base64_decode(text, Base64Alphabet::kUrl);
  if (text.size() != 22 || !decoded || decoded->size() != 16) return std::nullopt;
  Uuid uuid;
  std::copy(decoded->begin(), decoded->end(), uuid.bytes.begin());
  return uuid;
}

std::string Uuid::hex_text() const {
  std::string text;
  text.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text.push_back(kHexDigits[bytes[i] >> 4]);
    text.push_back(kHexDigits[bytes[i] & 15]);
    if (dash_follows(i)) text.push_back('-');
  }
  return text;
}

std::optional<Uuid> Uuid::from_hex_text(std::string_view text) {
  if (text.size() != 36) return std::nullopt;
  Uuid uuid;
  std::size_t at = 0;
  for (std::size_t i = 0; i < uuid.bytes.size(); ++i) {
    const std::size_t high = kHexDigits.find(text[at]);
    const std::size_t low = kHexDigits.find(text[at + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    uuid.bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
    at += 2;
    if (dash_follows(i) && text[at++] != '-') return std::nullopt;
  }
  return uuid;
}

Uuid Uuid::from_halves(std::uint64_t high, std::uint64_t low) noexcept {
  Uuid uuid;
  for (int i = 0; i < 8; ++i) {
    uuid.bytes[i] = static_cast<std::uint8_t>(high >> (56 - 8 * i));
    uuid.bytes[8 + i] = static_cast<std::uint8_t>(low >> (56 - 8 * i));
  }
  return uuid;
}

std::uint64_t Uuid::high() const noexcept {
  std::uint64_t half = 0;
  for (int i = 0; i < 8; ++i) half = half << 8 | bytes[i];
  return half;
}

std::uint64_t Uuid::low() const noexcept {
  std::uint64_t half = 0;
  for (int i = 8; i < 16; ++i) half = half << 8 | bytes[i];
  return half;
}

}  // namespace wt
