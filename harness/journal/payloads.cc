#include "harness/journal/payloads.h"

#include "harness/journal/number_reader.h"

namespace wt::harness {

namespace {

void put_string(ByteWriter& out, std::string_view text) {
  put_number(out, text.size());
  out.text(text);
}

void put_address(ByteWriter& out, const ListenerAddress& address) {
  put_string(out, address.name);
  put_string(out, address.host);
  out.u16(address.port);
}

ListenerAddress take_address(ByteReader& in) {
  ListenerAddress address;
  address.name = take_string(in);
  address.host = take_string(in);
  address.port = in.u16();
  return address;
}

bool whole(const ByteReader& in) {
  return in.ok() && in.remaining() == 0;
}

}  // namespace

void encode(ByteWriter& out, const JournalHead& head) {
  put_string(out, head.code_version);
  put_string(out, head.library_versions);
  put_string(out, head.compiler);
  out.u64(head.seed);
  put_string(out, head.options_json);
  out.i64(head.epoch_ns);
  put_number(out, head.start_step);
  out.u8(static_cast<std::uint8_t>(head.clock));
  put_number(out, head.output_window_bytes);
  put_number(out, head.listeners.size());
  for (const ListenerAddress& address : head.listeners) put_address(out, address);
}

bool decode(PayloadBytes bytes, JournalHead& head) {
  ByteReader in(bytes);
  head.code_version = take_string(in);
  head.library_versions = take_string(in);
  head.compiler = take_string(in);
  head.seed = in.u64();
  head.options_json = take_string(in);
  head.epoch_ns = in.i64();
  head.start_step = take_number(in);
  const std::uint8_t clock = in.u8();
  if (clock > static_cast<std::uint8_t>(ClockMode::virtual_time)) return false;
  head.clock = static_cast<ClockMode>(clock);
  head.output_window_bytes = take_number(in);
  const std::size_t count = take_count(in, 4);
  head.listeners.clear();
  for (std::size_t i = 0; i < count && in.ok(); ++i) head.listeners.push_back(take_address(in));
  return whole(in);
}

void encode(ByteWriter& out, const AdvancePayload& payload) {
  out.varlong(payload.by_ns);
  out.u8(payload.silence_counts ? 1 : 0);
}
bool decode(PayloadBytes bytes, AdvancePayload& payload) {
  ByteReader in(bytes);
  payload.by_ns = in.varlong();
  payload.silence_counts = in.u8() != 0;
  return whole(in);
}

void encode(ByteWriter& out, const AcceptPayload& payload) {
  put_number(out, payload.listener);
}
bool decode(PayloadBytes bytes, AcceptPayload& payload) {
  ByteReader in(bytes);
  payload.listener = take_number(in);
  return whole(in);
}

void encode(ByteWriter& out, const ExecutedPayload& payload) {
  out.u64(payload.result_hash);
}
bool decode(PayloadBytes bytes, ExecutedPayload& payload) {
  ByteReader in(bytes);
  payload.result_hash = in.u64();
  return whole(in);
}

void encode(ByteWriter& out, const ParkExpiredPayload& payload) {
  put_number(out, payload.id);
}
bool decode(PayloadBytes bytes, ParkExpiredPayload& payload) {
  ByteReader in(bytes);
  payload.id = take_number(in);
  return whole(in);
}

void encode(ByteWriter& out, const AddressPayload& payload) {
  put_number(out, payload.listener);
  put_address(out, payload.address);
}
bool decode(PayloadBytes bytes, AddressPayload& payload) {
  ByteReader in(bytes);
  payload.listener = take_number(in);
  payload.address = take_address(in);
  return whole(in);
}

void encode(ByteWriter& out, const OutputPayload& payload) {
  put_number(out, payload.marks.size());
  std::uint64_t before = 0;
  for (const OutputMark& mark : payload.marks) {
    put_number(out, mark.connection - before);
    put_number(out, mark.size_bytes);
    out.u32(mark.hash_low);
    before = mark.connection;
  }
}
bool decode(PayloadBytes bytes, OutputPayload& payload) {
  ByteReader in(bytes);
  const std::size_t count = take_count(in, 6);
  payload.marks.clear();
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    OutputMark mark;
    mark.connection = before + take_number(in);
    mark.size_bytes = take_number(in);
    mark.hash_low = in.u32();
    before = mark.connection;
    payload.marks.push_back(mark);
  }
  return whole(in);
}

void encode(ByteWriter& out, const Checkpoint& payload) {
  put_number(out, payload.step);
  out.i64(payload.time_ns);
  out.u64(payload.hash);
  put_number(out, payload.draws);
  out.u64(payload.digest);
}
bool decode(PayloadBytes bytes, Checkpoint& payload) {
  ByteReader in(bytes);
  payload.step = take_number(in);
  payload.time_ns = in.i64();
  payload.hash = in.u64();
  payload.draws = take_number(in);
  payload.digest = in.u64();
  return whole(in);
}

void encode(ByteWriter& out, const EndPayload& payload) {
  out.u64(payload.trace_hash);
  put_number(out, payload.draws);
  put_string(out, payload.finding);
  put_number(out, payload.outputs.size());
  for (const ConnectionOutput& output : payload.outputs) {
    put_number(out, output.connection);
    put_number(out, output.total_bytes);
    out.u64(output.hash);
  }
}
bool decode(PayloadBytes bytes, EndPayload& payload) {
  ByteReader in(bytes);
  payload.trace_hash = in.u64();
  payload.draws = take_number(in);
  payload.finding = take_string(in);
  const std::size_t count = take_count(in, 10);
  payload.outputs.clear();
  for (std::size_t i = 0; i < count && in.ok(); ++i) {
    ConnectionOutput output;
    output.connection = take_number(in);
    output.total_bytes = take_number(in);
    output.hash = in.u64();
    payload.outputs.push_back(output);
  }
  return whole(in);
}

}  // namespace wt::harness
