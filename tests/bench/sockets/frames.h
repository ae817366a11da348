// The few Kafka frames that the loader, the bare responder and the start-up bench need, written by hand:
// they must not share code with what they measure. Produce 7, Metadata 1, CreateTopics 4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

inline constexpr std::int16_t kProduce = 0;
inline constexpr std::int16_t kMetadata = 3;
inline constexpr std::int16_t kCreateTopics = 19;
inline constexpr std::size_t kCorrelationAt = 8;      // in a request with its length
inline constexpr std::size_t kAnswerHeaderBytes = 8;  // length and correlation id

// Appends big-endian fields.
class Writer {
 public:
  void int8(int value) { bytes_.push_back(static_cast<char>(value)); }
  void int16(int value);
  void int32(std::int64_t value);
  void int64(std::int64_t value);
  void text(std::string_view value);
  void null_text() { int16(-1); }
  void varint(std::int64_t value);  // zigzag
  void raw(std::string_view value) { bytes_.append(value); }
  void set_int32(std::size_t at, std::uint32_t value);
  std::size_t size() const { return bytes_.size(); }
  std::string_view view() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads big-endian fields; after the first field that is not there, ok() is false and all is 0.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool ok() const { return ok_; }
  std::size_t at() const { return at_; }
  std::int64_t number(std::size_t width);
  std::string text();  // null reads as ""
  void skip(std::size_t bytes);

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

std::uint32_t crc32c(std::string_view bytes);

struct ProduceShape {
  std::string topic;
  std::int32_t partition = 0;
  std::int16_t acks = 1;
  std::size_t record_bytes = 100;
};
// Whole frames, with their length; the correlation id is at kCorrelationAt.
std::string produce_request(const ProduceShape& shape);
// Without a name: brokers and controller only.
std::string metadata_request(std::optional<std::string_view> topic);
std::string create_topic_request(std::string_view topic, std::int32_t partitions, std::int16_t replication);

// Answers are read without their length.
struct ProduceAnswer {
  std::int32_t correlation_id = 0;
  std::int16_t error = 0;
  std::int64_t base_offset = 0;
  std::size_t error_at = 0;  // where the error is, so that the next answers can be checked cheaply
};
std::optional<ProduceAnswer> read_produce_answer(std::string_view frame);

struct Address {
  std::string host;
  std::uint16_t port = 0;
};
struct ClusterMap {
  Address controller;            // port 0: none
  std::vector<Address> leaders;  // of the partitions of the topic; port 0 where there is none
};
// Nothing: not such an answer.
std::optional<ClusterMap> read_metadata(std::string_view frame, std::string_view topic);

std::uint32_t big_endian32(const char* at);
void put_big_endian32(char* at, std::uint32_t value);

}  // namespace bench
