// Splits, validates and reads any bytes as a records field. A second pass puts the checksum right, so
// that mutations get past it.
#include <cstdlib>

#include "sim/formats/entry.h"
#include "sim/formats/record_batch.h"

using namespace wt;
using namespace wt::formats;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void read_all(const BatchVerdict& verdict, const ValidationOptions& options) {
  const auto content = BatchRecords::open(verdict.batch, verdict.header, options.content_limit_bytes);
  require(content.ok());
  RecordReader reader(verdict.header, content->bytes());
  RecordView record;
  std::int32_t count = 0;
  for (; reader.next(record); ++count) {
    require(record.headers().size() == static_cast<std::size_t>(record.header_count));
    (void)parse_control_record(record);
  }
  require(reader.ok());
  require(count == verdict.record_count);
}

void judge(const Slice& field, const ValidationOptions& options) {
  (void)check_produce_records(field, 6);
  const BatchVerdict verdict = validate_append(field, options);
  require(verdict.ok() == (verdict.error_code == kErrorNone));
  if (!verdict.ok() || options.depth == ValidationDepth::kHeader) return;
  read_all(verdict, options);
  if (verdict.needs_rebuild) (void)rebuild_batch(verdict.batch, options.content_limit_bytes);
  if (verdict.record_count <= 0) return;
  const Entry entry = make_kafka_entry(verdict, 1000, 3, EntryFormat::kKafka);
  const Slice served = flatten(project_kafka(entry));
  require(parse_batch_header(served.bytes())->crc == compute_batch_crc(served.bytes()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  const Slice field = Slice::copy_of(std::span(data, size_bytes));
  ValidationOptions options;
  options.topic_partition = "fuzz-0";
  options.now_ms = 1'000'000;
  options.content_limit_bytes = 1 << 20;
  judge(field, options);
  const BatchSplit split = split_batches(field);
  for (const Slice& batch : split.batches) {
    const Slice sealed = with_header(batch, [](BatchHeader& header) { header.base_offset = 0; });
    for (const ValidationDepth depth : {ValidationDepth::kDeep, ValidationDepth::kHeader}) {
      options.depth = depth;
      options.timestamp_type = TimestampType::kCreateTime;
      options.compacted = false;
      judge(sealed, options);
      options.timestamp_type = TimestampType::kLogAppendTime;
      options.compacted = true;
      judge(sealed, options);
    }
    options.origin = AppendOrigin::kCoordinator;
    options.depth = ValidationDepth::kDeep;
    (void)validate_append(sealed, options);
    options.origin = AppendOrigin::kClient;
  }
  return 0;
}
