// Any bytes as a recording: read, decoded and replayed. Once as they are, and once as the entries of a
// recording whose frames and checksums are right, so that mutations get past those.
#include "harness/journal/payloads.h"
#include "harness/journal/replay.h"
#include "sim/formats/crc32c.h"
#include "tests/unit/gateway/echo.h"

using namespace wt;
using namespace wt::harness;

namespace {

void decode_all(const Entry& entry) {
  const PayloadBytes payload = entry.payload.bytes();
  JournalHead head;
  AdvancePayload advance;
  AcceptPayload accept;
  ExecutedPayload executed;
  ParkExpiredPayload park;
  AddressPayload address;
  OutputPayload output;
  Checkpoint checkpoint;
  EndPayload end;
  const bool good[] = {decode(payload, head),     decode(payload, advance),    decode(payload, accept),
                       decode(payload, executed), decode(payload, park),       decode(payload, address),
                       decode(payload, output),   decode(payload, checkpoint), decode(payload, end)};
  (void)good;
  (void)to_text(entry, 0);
}

void read_and_replay(const Slice& file) {
  StatusOr<JournalReader> reader = JournalReader::open(file);
  if (!reader.ok()) return;
  Entry entry;
  while (reader->next(entry)) decode_all(entry);
  EchoOptions options;
  options.brokers = 1;
  options.seed = reader->head().seed;
  options.epoch_ns = reader->head().epoch_ns;
  if (options.epoch_ns < 0 || reader->head().output_window_bytes > 1 << 20) return;
  EchoSimulated sim(options);
  (void)replay(std::move(*JournalReader::open(file)), sim);
}

void put_frame(ByteWriter& out, std::span<const std::uint8_t> body) {
  out.u32(static_cast<std::uint32_t>(body.size()));
  out.u32(formats::crc32c(body));
  out.bytes(body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes) {
  const std::span<const std::uint8_t> input(data, size_bytes);
  read_and_replay(Slice::copy_of(input));

  JournalHead head;
  head.seed = 1;
  head.epoch_ns = kDefaultEpoch_ns;
  head.output_window_bytes = 4096;
  ByteWriter head_body;
  head_body.u8('H');
  encode(head_body, head);
  ByteWriter file;
  file.text(kJournalMagic);
  put_frame(file, head_body.view());
  put_frame(file, input);
  read_and_replay(file.to_slice());
  return 0;
}
