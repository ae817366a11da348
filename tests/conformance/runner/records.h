// Record sets as rows write and read them.
//
// Written:  null, {"hex":"…"}, {"batch":{…}} or {"batches":[{…}]}. A batch: "records" (each with "key",
//           "value", "timestamp", "headers":[["k","v"]] or "valueSize" for that many zero bytes), "codec",
//           "producerId", "producerEpoch", "baseSequence", "baseOffset", "partitionLeaderEpoch",
//           "transactional", "control", "magic" (0 and 1 make a message set), and "corrupt", one of crc,
//           count, lastOffsetDelta, magic, codec, length, truncate. Records without a time get the row's
//           time, one millisecond apart.
// Read:     a list of batches with their header fields, and their records.
#pragma once

#include "absl/status/statusor.h"
#include "sim/formats/slice.h"
#include "tests/conformance/runner/json_text.h"

namespace wt::conformance {

absl::StatusOr<Slice> build_records(const json::value& description, std::int64_t row_time_ms);
json::value describe_records(const Slice& records);

absl::StatusOr<std::vector<std::uint8_t>> from_hex(std::string_view text);
std::string to_hex(std::span<const std::uint8_t> bytes);

}  // namespace wt::conformance
