// Writes the seed files of the fuzz targets of this folder into the folder given.
#include <filesystem>
#include <fstream>

#include "sim/formats/entry.h"
#include "sim/formats/record_batch.h"

using namespace wt;
using namespace wt::formats;

namespace {

std::filesystem::path root;

void write(std::string_view target, std::string_view name, std::span<const std::uint8_t> bytes) {
  std::filesystem::create_directories(root / target);
  std::ofstream out(root / target / name, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

Slice sample_batch(Codec codec) {
  BatchOptions options;
  options.codec = codec;
  options.producer_id = 7;
  options.producer_epoch = 1;
  options.base_sequence = 5;
  BatchBuilder builder(options);
  NewRecord record;
  record.timestamp_ms = 999'000;
  record.key = "key";
  record.value = "value value value value value value";
  record.headers = {{"header", "text"}, {"none", std::nullopt}};
  builder.add(record);
  record.timestamp_ms = 999'500;
  record.key.reset();
  record.headers.clear();
  return builder.add(record).add(record).build();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  root = argv[1];
  for (const Codec codec : kAllCodecs) {
    const std::string name(codec_name(codec));
    const Slice batch = sample_batch(codec);
    write("record_batch", name, batch.bytes());
    std::vector<std::uint8_t> stream = {static_cast<std::uint8_t>(codec)};
    const auto packed = compress(codec, batch.bytes());
    stream.insert(stream.end(), packed.begin(), packed.end());
    write("compression", name, stream);
  }
  const Slice marker = build_end_marker({true, 7, 1, 3, 999'000});
  write("record_batch", "marker", marker.bytes());
  write("record_batch", "two", flatten({sample_batch(Codec::kNone), marker}).bytes());

  std::vector<std::uint8_t> raw = {static_cast<std::uint8_t>(Codec::kSnappy)};
  const auto packed = compress_raw_snappy(marker.bytes());
  raw.insert(raw.end(), packed.begin(), packed.end());
  write("compression", "snappy_raw", raw);

  ValidationOptions options;
  options.now_ms = 1'000'000;
  options.timestamp_type = TimestampType::kLogAppendTime;
  SliceList kafka;
  encode_entry(
      make_kafka_entry(validate_append(sample_batch(Codec::kNone), options), 42, 3, EntryFormat::kPulsar),
      kafka);
  write("entry", "kafka", flatten(kafka).bytes());
  Entry entry;
  entry.header.kind = PayloadKind::kPulsarEntry;
  entry.payload = Slice::copy_of("payload");
  SliceList pulsar;
  encode_entry(entry, pulsar);
  write("entry", "pulsar", flatten(pulsar).bytes());
  return 0;
}
