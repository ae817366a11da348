#include "sim/stream/records.h"

#include "sim/formats/byte_reader.h"
#include "sim/formats/byte_writer.h"
#include "sim/formats/crc32c.h"

namespace wt::stream {
namespace {

constexpr std::uint8_t kHeadTag = 0x48;
constexpr std::uint8_t kCommitTag = 0x43;
constexpr std::uint8_t kBindingTag = 0x42;
constexpr std::size_t kMaxCheckpoints = 16;

std::span<const std::uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

Slice seal(ByteWriter& bytes) {
  bytes.u32(formats::crc32c(bytes.view()));
  return bytes.to_slice();
}

// The part between tag and checksum; empty when either is wrong.
std::span<const std::uint8_t> unseal(std::string_view text, std::uint8_t tag) {
  const auto bytes = as_bytes(text);
  if (bytes.size() < 5 || bytes[0] != tag) return {};
  const auto content = bytes.first(bytes.size() - 4);
  ByteReader crc(bytes.last(4));
  if (crc.u32() != formats::crc32c(content)) return {};
  return content.subspan(1);
}

void write_attempt(ByteWriter& out, const AppendAttemptId& id) {
  out.unsigned_varint(id.stream);
  out.unsigned_varint(id.session_epoch);
  out.varlong(static_cast<std::int64_t>(id.sequence));
}
AppendAttemptId read_attempt(ByteReader& in) {
  AppendAttemptId id;
  id.stream = in.unsigned_varint();
  id.session_epoch = in.unsigned_varint();
  id.sequence = static_cast<std::uint64_t>(in.varlong());
  return id;
}

void write_text(ByteWriter& out, std::string_view text) {
  out.u16(static_cast<std::uint16_t>(text.size()));
  out.text(text);
}
std::string read_text(ByteReader& in) {
  return std::string(in.take_text(in.u16()));
}

bool known_profile(std::uint8_t value) {
  return value >= 1 && value <= 5;
}
bool known_lifecycle(std::uint8_t value) {
  return value >= 1 && value <= 5;
}

Status damaged(const char* what) {
  return make_status(StatusCode::kDataLoss, std::string("damaged ") + what);
}

}  // namespace

Slice encode_head(const StreamHead& head) {
  ByteWriter out(192);
  out.u8(kHeadTag);
  out.unsigned_varint(head.stream);
  out.u64(head.key.topic.high());
  out.u64(head.key.topic.low());
  out.varint(head.key.partition);
  out.u8(static_cast<std::uint8_t>(head.profile));
  out.u8(static_cast<std::uint8_t>(head.lifecycle));
  out.varlong(head.committed_end);
  out.varlong(head.ordinal_end);
  out.varlong(head.entry_count);
  out.varlong(head.cumulative_size_bytes);
  out.varlong(head.commit_version);
  write_attempt(out, head.last_commit);
  out.varlong(head.last_commit_start);
  out.unsigned_varint(head.session.epoch);
  out.u64(head.session.token);
  out.varint(head.session.writer);
  out.varlong(head.session.authority);
  out.varlong(head.session.expires_ns);
  out.varlong(head.trim_offset);
  out.varlong(head.trim_ordinal);
  return seal(out);
}

StatusOr<StreamHead> decode_head(std::string_view bytes) {
  ByteReader in(unseal(bytes, kHeadTag));
  StreamHead head;
  head.stream = in.unsigned_varint();
  const std::uint64_t high = in.u64();
  const std::uint64_t low = in.u64();
  head.key.topic = Uuid::from_halves(high, low);
  head.key.partition = in.varint();
  const std::uint8_t profile = in.u8();
  const std::uint8_t lifecycle = in.u8();
  head.profile = static_cast<Profile>(profile);
  head.lifecycle = static_cast<Lifecycle>(lifecycle);
  head.committed_end = in.varlong();
  head.ordinal_end = in.varlong();
  head.entry_count = in.varlong();
  head.cumulative_size_bytes = in.varlong();
  head.commit_version = in.varlong();
  head.last_commit = read_attempt(in);
  head.last_commit_start = in.varlong();
  head.session.epoch = in.unsigned_varint();
  head.session.token = in.u64();
  head.session.writer = in.varint();
  head.session.authority = in.varlong();
  head.session.expires_ns = in.varlong();
  head.trim_offset = in.varlong();
  head.trim_ordinal = in.varlong();
  const bool good = in.ok() && in.remaining() == 0 && known_profile(profile) && known_lifecycle(lifecycle) &&
                    head.trim_offset >= 0 && head.trim_offset <= head.committed_end &&
                    head.trim_ordinal >= 0 && head.trim_ordinal <= head.ordinal_end;
  if (!good) return damaged("stream head");
  return head;
}

Slice encode_commit(const CommitRecord& commit) {
  ByteWriter out(224);
  out.u8(kCommitTag);
  write_attempt(out, commit.attempt);
  out.varlong(commit.start);
  out.varlong(commit.end);
  out.varlong(commit.ordinal_start);
  out.varlong(commit.ordinal_end);
  out.varint(commit.entry_count);
  out.varlong(commit.size_bytes);
  out.varlong(commit.cumulative_size_bytes);
  out.varlong(commit.commit_version);
  write_attempt(out, commit.previous);
  out.varlong(commit.previous_start);
  write_text(out, commit.target.object_key);
  out.unsigned_varint(commit.target.slice);
  out.varlong(static_cast<std::int64_t>(commit.target.object_bytes));
  out.u32(commit.target.checksum);
  return seal(out);
}

StatusOr<CommitRecord> decode_commit(std::string_view bytes) {
  ByteReader in(unseal(bytes, kCommitTag));
  CommitRecord commit;
  commit.attempt = read_attempt(in);
  commit.start = in.varlong();
  commit.end = in.varlong();
  commit.ordinal_start = in.varlong();
  commit.ordinal_end = in.varlong();
  commit.entry_count = in.varint();
  commit.size_bytes = in.varlong();
  commit.cumulative_size_bytes = in.varlong();
  commit.commit_version = in.varlong();
  commit.previous = read_attempt(in);
  commit.previous_start = in.varlong();
  commit.target.object_key = read_text(in);
  commit.target.slice = in.unsigned_varint();
  commit.target.object_bytes = static_cast<std::uint64_t>(in.varlong());
  commit.target.checksum = in.u32();
  const bool good = in.ok() && in.remaining() == 0 && commit.start >= 0 && commit.end > commit.start &&
                    commit.ordinal_start >= 0 && commit.ordinal_end >= commit.ordinal_start &&
                    commit.entry_count > 0;
  if (!good) return damaged("commit record");
  return commit;
}

Slice encode_binding(const Binding& binding) {
  ByteWriter out(128);
  out.u8(kBindingTag);
  out.unsigned_varint(binding.stream);
  out.u8(static_cast<std::uint8_t>(binding.profile));
  out.u8(static_cast<std::uint8_t>(binding.lifecycle));
  out.unsigned_varint(binding.incarnation);
  out.varlong(binding.observed_end);
  out.varlong(binding.observed_trim);
  out.u16(static_cast<std::uint16_t>(binding.checkpoints.size()));
  for (const CheckpointRef& checkpoint : binding.checkpoints) {
    write_text(out, checkpoint.object_key);
    out.varlong(checkpoint.offset);
    out.varlong(static_cast<std::int64_t>(checkpoint.size_bytes));
    out.u32(checkpoint.checksum);
  }
  write_text(out, binding.activation);
  return seal(out);
}

StatusOr<Binding> decode_binding(std::string_view bytes) {
  ByteReader in(unseal(bytes, kBindingTag));
  Binding binding;
  binding.stream = in.unsigned_varint();
  const std::uint8_t profile = in.u8();
  const std::uint8_t lifecycle = in.u8();
  binding.profile = static_cast<Profile>(profile);
  binding.lifecycle = static_cast<Lifecycle>(lifecycle);
  binding.incarnation = in.unsigned_varint();
  binding.observed_end = in.varlong();
  binding.observed_trim = in.varlong();
  const std::size_t checkpoints = in.u16();
  if (checkpoints > kMaxCheckpoints) in.fail();
  for (std::size_t i = 0; i < checkpoints && in.ok(); ++i) {
    CheckpointRef checkpoint;
    checkpoint.object_key = read_text(in);
    checkpoint.offset = in.varlong();
    checkpoint.size_bytes = static_cast<std::uint64_t>(in.varlong());
    checkpoint.checksum = in.u32();
    binding.checkpoints.push_back(std::move(checkpoint));
  }
  binding.activation = read_text(in);
  const bool good = in.ok() && in.remaining() == 0 && binding.stream != 0 && known_profile(profile) &&
                    known_lifecycle(lifecycle);
  if (!good) return damaged("binding");
  return binding;
}

}  // namespace wt::stream
