#include "sim/stream/keys.h"

namespace wt::stream {
namespace {

constexpr int kStreamDigits = 8;
constexpr int kOffsetDigits = 16;
constexpr int kEpochDigits = 8;
constexpr int kSequenceDigits = 10;

void add_hex(std::string& text, std::uint64_t value, int digits) {
  static constexpr char kDigits[] = "0123456789abcdef";
  const std::size_t end = text.size() + static_cast<std::size_t>(digits);
  text.resize(end);
  for (int i = 1; i <= digits; ++i, value >>= 4)
    text[end - static_cast<std::size_t>(i)] = kDigits[value & 15];
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
  add_hex(text, attempt.session_epoch, kEpochDigits);
  add_hex(text, attempt.sequence, kSequenceDigits);
}

std::string partition_key(std::string_view cluster_id, char kind, const PartitionKey& key) {
  std::string text;
  text.reserve(cluster_id.size() + 3 + 40);
  text.append(cluster_id).append({'/', kind, '/'});
  add_hex(text, key.topic.high(), 16);
  add_hex(text, key.topic.low(), 16);
  add_hex(text, static_cast<std::uint32_t>(key.partition), 8);
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
  add_hex(text, stream_, kStreamDigits);
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
  add_hex(text, static_cast<std::uint64_t>(start), kOffsetDigits);
  add_attempt(text, attempt);
  return text;
}

std::string StreamKeys::protection(const AppendAttemptId& attempt, std::int64_t start) const {
  std::string text = prefix('p');
  add_hex(text, static_cast<std::uint64_t>(start), kOffsetDigits);
  add_attempt(text, attempt);
  return text;
}

std::string StreamKeys::index(std::int64_t end) const {
  std::string text = prefix('i');
  add_hex(text, static_cast<std::uint64_t>(end), kOffsetDigits);
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
  add_hex(text, static_cast<std::uint64_t>(offset), kOffsetDigits);
  text.push_back('.');
  add_hex(text, checksum, 8);
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
