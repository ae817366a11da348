// Reading the records of a batch, once they are uncompressed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/formats/batch_header.h"

namespace wt::formats {

struct HeaderView {
  std::string_view key;
  std::optional<std::span<const std::uint8_t>> value;
};

// One record; the views point into the bytes that were read and live no longer than they do.
struct RecordView {
  std::int32_t offset_delta = 0;
  // With LogAppendTime the batch's max_timestamp, else the record's own.
  std::int64_t timestamp = 0;
  std::optional<std::span<const std::uint8_t>> key;
  std::optional<std::span<const std::uint8_t>> value;
  std::int32_t header_count = 0;
  // Encoded headers, already checked to be well-formed.
  std::span<const std::uint8_t> header_bytes;
  // Of the whole record, its length field included.
  std::size_t size_bytes = 0;

  std::vector<HeaderView> headers() const;
};

// Walks the records of one batch:
//
//   RecordReader reader(header, records);
//   RecordView record;
//   while (reader.next(record)) …;
//   if (!reader.ok()) … reader.error() …;
//
// Stops after header.record_count records, and is ok() only when they fill the bytes exactly.
class RecordReader {
 public:
  // `records` is what follows the batch header, uncompressed.
  RecordReader(const BatchHeader& header, std::span<const std::uint8_t> records);

  bool next(RecordView& record);
  bool ok() const noexcept { return error_.empty(); }
  // What is wrong, in a real broker's words.
  const std::string& error() const noexcept { return error_; }

 private:
  bool fail(std::string error);
  bool read_body(std::span<const std::uint8_t> rest, std::int32_t body_bytes, RecordView& record);

  std::span<const std::uint8_t> rest_;
  std::int64_t base_timestamp_;
  std::optional<std::int64_t> append_time_;
  std::int32_t left_;
  std::string error_;
};

// The bytes of a batch's records, uncompressed; keeps alive what it points to.
class BatchRecords {
 public:
  std::span<const std::uint8_t> bytes() const noexcept {
    return owned_.empty() ? shared_.bytes() : std::span(owned_);
  }

  // Uncompresses `batch` when needed; an uncompressed batch is shared, not copied.
  static absl::StatusOr<BatchRecords> open(const Slice& batch, const BatchHeader& header,
                                           std::size_t limit_bytes);

 private:
  Slice shared_;
  std::vector<std::uint8_t> owned_;
};

// What a control record says.
struct ControlMarker {
  std::int16_t type = -1;
  // Of the transaction coordinator; only for commit and abort.
  std::int32_t coordinator_epoch = -1;
};
inline constexpr std::int16_t kControlAbort = 0;
inline constexpr std::int16_t kControlCommit = 1;
absl::StatusOr<ControlMarker> parse_control_record(const RecordView& record);

}  // namespace wt::formats
