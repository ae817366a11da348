// A 16-byte identifier (topic, broker incarnation, directory, member), ordered by its bytes.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wt {

struct Uuid {
  std::array<std::uint8_t, 16> bytes{};

  bool is_zero() const noexcept { return bytes == std::array<std::uint8_t, 16>{}; }
  friend auto operator<=>(const Uuid&, const Uuid&) = default;

  // Kafka's text form: base64 with the URL alphabet, 22 characters, no padding.
  std::string text() const;
  static std::optional<Uuid> from_text(std::string_view text);
  // The canonical form, 8-4-4-4-12 lower-case hexadecimal digits: how Pulsar's properties show it.
  std::string hex_text() const;
  static std::optional<Uuid> from_hex_text(std::string_view text);
  // The identifier whose big-endian halves are these.
  static Uuid from_halves(std::uint64_t high, std::uint64_t low) noexcept;
  std::uint64_t high() const noexcept;
  std::uint64_t low() const noexcept;
};

}  // namespace wt
