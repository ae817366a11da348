// Hash functions that give the same value in every build, process and run.
#pragma once

#include <cstdint>
#include <string_view>

namespace wt {

// Bijective finaliser: every input bit reaches every output bit (constants of splitmix64).
constexpr std::uint64_t mix64(std::uint64_t value) noexcept {
  value ^= value >> 30;
  value *= 0xBF58476D1CE4E5B9ULL;
  value ^= value >> 27;
  value *= 0x94D049BB133111EBULL;
  value ^= value >> 31;
  return value;
}

// Folds one more field into a running hash; the order of folds matters.
constexpr std::uint64_t fold64(std::uint64_t hash, std::uint64_t field) noexcept {
  hash = (hash ^ field) * 0x9FB21C651E98DF25ULL;
  return hash ^ (hash >> 29);
}

// FNV-1a over the characters, then mixed: names of labels, streams and fault points.
constexpr std::uint64_t hash_text(std::string_view text) noexcept {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001B3ULL;
  return mix64(hash);
}

}  // namespace wt
