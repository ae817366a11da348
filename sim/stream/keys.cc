#include "sim/stream/keys.h"

#include <array>
#include <cstring>

namespace wt::stream {
namespace {

constexpr int kStreamDigits = 8;
constexpr int kOffsetDigits = 16;
constexpr int kEpochDigits = 8;
constexpr int kSequenceDigits = 10;

// Eleven keys a produce: two digits at a time.
constexpr auto kHexPairs = [] {
  constexpr char kDigits[] = "0123456789abcdef";
  std::array<std::array<char, 2>, 256> pairs{};
  for (std::size_t byte = 0; byte < 256; ++byte) pairs[byte] = {kDigits[byte >> 4], kDigits[byte & 15]};
  return pairs;
}();

template <int kDigits>
void add_hex(std::string& text, std::uint64_t value) {
  static_assert(kDigits % 2 == 0);
  char digits[kDigits];
  for (int at = kDigits - 2; at >= 0; at -= 2, value >>= 8)
    std::memcpy(digits + at, kHexPairs[value & 255].data(), 2);
  text.append(digits, kDigits);
}

bool take_hex(std::string_view& text, int digits, std::uint64_t& value) {
  if (text.size() < static_cast<std::size_t>(digits)) return false;
  value = 0;
  for (int i = 0; i < digits; ++i) {
    const char c = text[static_cast<std::size_t>(i)];
    const bool digit = c >= '0' && c <= '9';
    if (!digit && (c < 'a' || c > 'f')) return false;
    value = value << 4 | static_cast<std::uint64_t>(digit ? c - '0' : c - 'a' + 10);
  }
  text.remove_prefix(static_cast<std::size_t>(digits));
  return true;
}

void add_attempt(std::string& text, const AppendAttemptId& attempt) {
  add_hex<kEpochDigits>(text, attempt.session_epoch);
  add_hex<kSequenceDigits>(text, attempt.sequence);
}

std::string partition_key(std::string_view cluster_id, char kind, const PartitionKey& key) {
  std::string text;
  text.reserve(cluster_id.size() + 3 + 40);
  text.append(cluster_id).append({'/', kind, '/'});
  add_hex<16>(text, key.topic.high());
  add_hex<16>(text, key.topic.low());
  add_hex<8>(text, static_cast<std::uint32_t>(key.partition));
  return text;
}

}  // namespace

std::string binding_key(std::string_view cluster_id, const PartitionKey& key) {
  return partition_key(cluster_id, 'b', key);
}
std::string binding_proof_key(std::string_view cluster_id, const PartitionKey& key) {
  return partition_key(cluster_id, 'o', key);
}
std::string next_stream_key(std::string_view cluster_id) {
  return std::string(cluster_id) + "/n";
}

StreamKeys::StreamKeys(std::string_view cluster_id, StreamId stream)
    : cluster_(std::string(cluster_id) + "/"), stream_(stream) {}

std::string StreamKeys::prefix(char kind) const {
  std::string text;
  text.reserve(cluster_.size() + 48);
  text.append(cluster_).append({kind, '/'});
  add_hex<kStreamDigits>(text, stream_);
  text.push_back('/');
  return text;
}

std::string StreamKeys::head() const {
  std::string text = prefix('h');
  text.pop_back();
  return text;
}

std::string StreamKeys::commit(const AppendAttemptId& attempt, std::int64_t start) const {
  std::string text = prefix('c');
  add_hex<kOffsetDigits>(text, static_cast<std::uint64_t>(start));
  add_attempt(text, attempt);
  return text;
}

std::string StreamKeys::protection(const AppendAttemptId& attempt, std::int64_t start) const {
  std::string text = prefix('p');
  add_hex<kOffsetDigits>(text, static_cast<std::uint64_t>(start));
  add_attempt(text, attempt);
  return text;
}

std::string StreamKeys::index(std::int64_t end) const {
  std::string text = prefix('i');
  add_hex<kOffsetDigits>(text, static_cast<std::uint64_t>(end));
  return text;
}

std::string StreamKeys::root(std::string_view object_key) const {
  std::string text;
  text.reserve(cluster_.size() + 2 + object_key.size());
  text.append(cluster_).append("r/").append(object_key);
  return text;
}

std::string StreamKeys::wal_object(const AppendAttemptId& attempt) const {
  std::string text = prefix('w');
  add_attempt(text, attempt);
  return text;
}

std::string StreamKeys::checkpoint_object(std::int64_t offset, std::uint32_t checksum) const {
  std::string text = prefix('k');
  add_hex<kOffsetDigits>(text, static_cast<std::uint64_t>(offset));
  text.push_back('.');
  add_hex<8>(text, checksum);
  return text;
}

std::optional<StreamKeys::AttemptAt> StreamKeys::parse_attempt(std::string_view key) const {
  for (const char kind : {'c', 'p'}) {
    const std::string before = prefix(kind);
    if (!key.starts_with(before)) continue;
    std::string_view rest = key.substr(before.size());
    std::uint64_t start = 0, epoch = 0, sequence = 0;
    const bool good = take_hex(rest, kOffsetDigits, start) && take_hex(rest, kEpochDigits, epoch) &&
                      take_hex(rest, kSequenceDigits, sequence) && rest.empty();
    if (!good) return std::nullopt;
    return AttemptAt{{stream_, static_cast<std::uint32_t>(epoch), sequence},
                     static_cast<std::int64_t>(start)};
  }
  return std::nullopt;
}

}  // namespace wt::stream
