#include "tests/bench/sockets/frames.h"

#include <array>
#include <chrono>
#include <map>

namespace bench {
namespace {

std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1) != 0 ? (value >> 1) ^ 0x82F63B78U : value >> 1;
    table[i] = value;
  }
  return table;
}

std::int64_t wall_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

Writer begin_request(std::int16_t api_key, std::int16_t version) {
  Writer out;
  out.int32(0);  // the length
  out.int16(api_key);
  out.int16(version);
  out.int32(0);  // the correlation id
  out.text("raw_loader");
  return out;
}

std::string end_request(Writer out) {
  out.set_int32(0, static_cast<std::uint32_t>(out.size() - 4));
  return out.take();
}

// One record in one batch of format 2, from no idempotent producer.
std::string record_batch(std::size_t value_bytes) {
  Writer record;
  record.int8(0);     // attributes
  record.varint(0);   // timestamp delta
  record.varint(0);   // offset delta
  record.varint(-1);  // no key
  record.varint(static_cast<std::int64_t>(value_bytes));
  for (std::size_t i = 0; i < value_bytes; ++i) record.int8('a' + static_cast<int>(i % 26));
  record.varint(0);  // headers

  Writer body;  // what the CRC covers
  const std::int64_t timestamp_ms = wall_ms();
  body.int16(0);  // attributes
  body.int32(0);  // last offset delta
  body.int64(timestamp_ms);
  body.int64(timestamp_ms);
  body.int64(-1);  // producer id
  body.int16(-1);  // producer epoch
  body.int32(-1);  // base sequence
  body.int32(1);   // records
  body.varint(static_cast<std::int64_t>(record.size()));
  body.raw(record.view());

  Writer batch;
  batch.int64(0);                                                   // base offset
  batch.int32(static_cast<std::int64_t>(4 + 1 + 4 + body.size()));  // what follows
  batch.int32(-1);                                                  // leader epoch
  batch.int8(2);                                                    // format
  batch.int32(crc32c(body.view()));
  batch.raw(body.view());
  return batch.take();
}

}  // namespace

void Writer::int16(int value) {
  int8(value >> 8);
  int8(value);
}

void Writer::int32(std::int64_t value) {
  int16(static_cast<int>(value >> 16));
  int16(static_cast<int>(value));
}

void Writer::int64(std::int64_t value) {
  int32(value >> 32);
  int32(value);
}

void Writer::text(std::string_view value) {
  int16(static_cast<int>(value.size()));
  raw(value);
}

void Writer::varint(std::int64_t value) {
  auto rest = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  for (; rest >= 128; rest >>= 7) int8(static_cast<int>((rest & 127) | 128));
  int8(static_cast<int>(rest));
}

void Writer::set_int32(std::size_t at, std::uint32_t value) {
  put_big_endian32(&bytes_[at], value);
}

std::int64_t Reader::number(std::size_t width) {
  if (!ok_ || bytes_.size() - at_ < width) {
    ok_ = false;
    return 0;
  }
  std::uint64_t value = (bytes_[at_] & 0x80) != 0 ? ~std::uint64_t{0} : 0;
  for (std::size_t i = 0; i < width; ++i) value = (value << 8) | static_cast<std::uint8_t>(bytes_[at_ + i]);
  at_ += width;
  return static_cast<std::int64_t>(value);
}

void Reader::skip(std::size_t bytes) {
  if (!ok_ || bytes_.size() - at_ < bytes) {
    ok_ = false;
    return;
  }
  at_ += bytes;
}

std::string Reader::text() {
  const std::int64_t size = number(2);
  if (!ok_ || size <= 0) return {};
  const std::size_t from = at_;
  skip(static_cast<std::size_t>(size));
  return ok_ ? std::string(bytes_.substr(from, static_cast<std::size_t>(size))) : std::string();
}

std::uint32_t crc32c(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> kTable = crc_table();
  std::uint32_t value = 0xFFFFFFFFU;
  for (const char c : bytes) value = kTable[(value ^ static_cast<std::uint8_t>(c)) & 255] ^ (value >> 8);
  return ~value;
}

std::string produce_request(const ProduceShape& shape) {
  const std::string batch = record_batch(shape.record_bytes);
  Writer out = begin_request(kProduce, 7);
  out.null_text();  // transactional id
  out.int16(shape.acks);
  out.int32(10'000);  // time-out
  out.int32(1);
  out.text(shape.topic);
  out.int32(1);
  out.int32(shape.partition);
  out.int32(static_cast<std::int64_t>(batch.size()));
  out.raw(batch);
  return end_request(std::move(out));
}

std::string metadata_request(std::optional<std::string_view> topic) {
  Writer out = begin_request(kMetadata, 1);
  out.int32(topic ? 1 : 0);
  if (topic) out.text(*topic);
  return end_request(std::move(out));
}

std::string create_topic_request(std::string_view topic, std::int32_t partitions, std::int16_t replication) {
  Writer out = begin_request(kCreateTopics, 4);
  out.int32(1);
  out.text(topic);
  out.int32(partitions);
  out.int16(replication);
  out.int32(0);       // assignments
  out.int32(0);       // configs
  out.int32(10'000);  // time-out
  out.int8(0);        // not only validate
  return end_request(std::move(out));
}

std::optional<ProduceAnswer> read_produce_answer(std::string_view frame) {
  Reader in(frame);
  ProduceAnswer answer;
  answer.correlation_id = static_cast<std::int32_t>(in.number(4));
  if (in.number(4) != 1) return std::nullopt;  // topics
  (void)in.text();
  if (in.number(4) != 1) return std::nullopt;  // partitions
  (void)in.number(4);
  answer.error_at = in.at();
  answer.error = static_cast<std::int16_t>(in.number(2));
  answer.base_offset = in.number(8);
  (void)in.number(8);  // append time
  (void)in.number(8);  // log start
  (void)in.number(4);  // throttle time
  if (!in.ok() || in.at() != frame.size()) return std::nullopt;
  return answer;
}

std::optional<ClusterMap> read_metadata(std::string_view frame, std::string_view topic) {
  Reader in(frame);
  (void)in.number(4);  // correlation id
  std::map<std::int64_t, Address> brokers;
  for (std::int64_t left = in.number(4); left > 0 && in.ok(); --left) {
    const std::int64_t id = in.number(4);
    Address& broker = brokers[id];
    broker.host = in.text();
    broker.port = static_cast<std::uint16_t>(in.number(4));
    (void)in.text();  // rack
  }
  ClusterMap map;
  map.controller = brokers[in.number(4)];
  std::vector<Address>& leaders = map.leaders;
  for (std::int64_t topics = in.number(4); topics > 0 && in.ok(); --topics) {
    (void)in.number(2);  // error: an unknown topic has no partitions
    const bool wanted = in.text() == topic;
    (void)in.number(1);  // internal
    for (std::int64_t left = in.number(4); left > 0 && in.ok(); --left) {
      const std::int64_t error = in.number(2);
      const std::int64_t id = in.number(4);
      const std::int64_t leader = in.number(4);
      for (int list = 0; list < 2; ++list) {
        const std::int64_t nodes = in.number(4);
        in.skip(nodes > 0 ? static_cast<std::size_t>(nodes) * 4 : 0);
      }
      if (!wanted || !in.ok() || id < 0 || id > 10'000) continue;
      if (leaders.size() <= static_cast<std::size_t>(id)) leaders.resize(static_cast<std::size_t>(id) + 1);
      if (error == 0 && brokers.contains(leader)) leaders[static_cast<std::size_t>(id)] = brokers[leader];
    }
  }
  if (!in.ok()) return std::nullopt;
  return map;
}

std::uint32_t big_endian32(const char* at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = (value << 8) | static_cast<std::uint8_t>(at[i]);
  return value;
}

void put_big_endian32(char* at, std::uint32_t value) {
  for (int i = 3; i >= 0; --i, value >>= 8) at[i] = static_cast<char>(value & 255);
}

}  // namespace bench
