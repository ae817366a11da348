#include "sim/kafka/wire/trace_text.h"

#include "absl/strings/str_cat.h"
#include "sim/formats/batch_header.h"
#include "sim/kafka/wire/error_code.h"
#include "sim/kafka/wire/schema_text.h"

namespace wt::kafka {
namespace {

// More batches than this are only counted.
constexpr std::size_t kBatchesShown = 4;

void append_batch(std::string& out, const Slice& batch) {
  const auto header = formats::parse_batch_header(batch.bytes());
  if (!header.ok()) {
    absl::StrAppend(&out, "{\"bytes\":", batch.size(), "}");
    return;
  }
  absl::StrAppend(&out, "{\"baseOffset\":", header->base_offset, ",\"records\":", header->record_count);
  if (header->has_producer_id()) {
    absl::StrAppend(&out, ",\"producerId\":", header->producer_id,
                    ",\"producerEpoch\":", header->producer_epoch,
                    ",\"baseSequence\":", header->base_sequence);
  }
  if (header->transactional()) out += ",\"transactional\":true";
  if (header->control()) out += ",\"control\":true";
  out += '}';
}

void append_records(std::string& out, const SliceList& records) {
  absl::StrAppend(&out, "{\"bytes\":", total_size(records));
  std::size_t count = 0;
  std::string batches;
  for (const Slice& piece : records) {
    for (const Slice& batch : formats::split_batches(piece).batches) {
      if (++count > kBatchesShown) continue;
      if (count > 1) batches += ',';
      append_batch(batches, batch);
    }
  }
  if (count > 0) absl::StrAppend(&out, ",\"batches\":[", batches, "]");
  if (count > kBatchesShown) absl::StrAppend(&out, ",\"moreBatches\":", count - kBatchesShown);
  out += '}';
}

}  // namespace

std::string trace_text(const schema::Table& table, const void* object, schema::Version version) {
  schema::TextOptions options;
  options.error_names = true;
  options.whole_bytes = false;
  options.error_name = [](std::int16_t code) { return error_name(static_cast<ErrorCode>(code)); };
  options.records = &append_records;
  return schema::to_text(table, object, version, options);
}

}  // namespace wt::kafka
