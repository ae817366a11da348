// Building Kafka record batches: for clients inside the simulation, control records and tests.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/batch_header.h"
#include "sim/formats/byte_writer.h"
#include "sim/formats/record.h"

namespace wt::formats {

struct BatchOptions {
  Codec codec = Codec::kNone;
  TimestampType timestamp_type = TimestampType::kCreateTime;
  // With kLogAppendTime: the time of every record.
  std::int64_t append_time_ms = kNoTimestamp;
  // A producing client leaves both at 0 and -1; a broker assigns them.
  std::int64_t base_offset = 0;
  std::int32_t leader_epoch = kNoLeaderEpoch;
  std::int64_t producer_id = kNoProducerId;
  std::int16_t producer_epoch = kNoProducerEpoch;
  std::int32_t base_sequence = kNoSequence;
  bool transactional = false;
  bool control = false;
};

// A record to add. Views need to live only until add() returns.
struct NewRecord {
  std::int64_t timestamp_ms = 0;
  std::optional<std::string_view> key;
  std::optional<std::string_view> value;
  std::vector<std::pair<std::string_view, std::optional<std::string_view>>> headers = {};
};

class BatchBuilder {
 public:
  explicit BatchBuilder(const BatchOptions& options = {}) : options_(options) {}

  // Appends with the next offset delta.
  BatchBuilder& add(const NewRecord& record);
  // Appends with any offset delta, as a compacted or a broken batch has; the next add() continues from it.
  BatchBuilder& add_at(std::int32_t offset_delta, const NewRecord& record);
  // Copies a record that was read from another batch, with the next offset delta.
  BatchBuilder& add(const RecordView& record);

  std::int32_t record_count() const noexcept { return count_; }
  // Of the batch so far, before compression.
  std::size_t size_bytes() const noexcept { return kBatchHeader_bytes + body_.size(); }
  // The batch; the builder is then empty and may be used again.
  Slice build();

 private:
  void begin_record(std::int32_t offset_delta, std::int64_t timestamp_ms);

  BatchOptions options_;
  ByteWriter body_;
  ByteWriter scratch_;
  std::int32_t count_ = 0;
  std::int32_t last_offset_delta_ = -1;
  std::int64_t base_timestamp_ = 0;
  std::int64_t max_timestamp_ = kNoTimestamp;
};

// Replaces header fields of `batch` and corrects its checksum: for tests that need a batch which
// is wrong in one way only. `edit` may change everything but the length.
Slice with_header(const Slice& batch, const std::function<void(BatchHeader&)>& edit);

// The control batch that ends a transaction, with one record.
struct EndMarker {
  bool commit = true;
  std::int64_t producer_id = 0;
  std::int16_t producer_epoch = 0;
  std::int32_t coordinator_epoch = 0;
  std::int64_t timestamp_ms = 0;
};
Slice build_end_marker(const EndMarker& marker);

}  // namespace wt::formats
