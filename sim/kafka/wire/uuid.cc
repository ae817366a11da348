#include "sim/kafka/wire/uuid.h"

#include "sim/kafka/wire/base64.h"

namespace wt {

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

Uuid Uuid::from_halves(std::uint64_t high, std::uint64_t low) noexcept {
  Uuid uuid;
  for (int i = 0; i < 8; ++i) {
    uuid.bytes[i] = static_cast<std::uint8_t>(high >> (56 - 8 * i));
    uuid.bytes[8 + i] = static_cast<std::uint8_t>(low >> (56 - 8 * i));
  }
  return uuid;
}

}  // namespace wt
