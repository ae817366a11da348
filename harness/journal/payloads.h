// Encoding of what entries carry. Every decoder accepts any bytes and answers false for bad ones.
#pragma once

#include <span>

#include "harness/journal/entry.h"
#include "sim/formats/byte_writer.h"

namespace wt::harness {

using PayloadBytes = std::span<const std::uint8_t>;

void encode(ByteWriter& out, const JournalHead& head);
void encode(ByteWriter& out, const AdvancePayload& payload);
void encode(ByteWriter& out, const AcceptPayload& payload);
void encode(ByteWriter& out, const ExecutedPayload& payload);
void encode(ByteWriter& out, const ParkExpiredPayload& payload);
void encode(ByteWriter& out, const AddressPayload& payload);
void encode(ByteWriter& out, const OutputPayload& payload);
void encode(ByteWriter& out, const Checkpoint& payload);
void encode(ByteWriter& out, const EndPayload& payload);

[[nodiscard]] bool decode(PayloadBytes bytes, JournalHead& head);
[[nodiscard]] bool decode(PayloadBytes bytes, AdvancePayload& payload);
[[nodiscard]] bool decode(PayloadBytes bytes, AcceptPayload& payload);
[[nodiscard]] bool decode(PayloadBytes bytes, ExecutedPayload& payload);
[[nodiscard]] bool decode(PayloadBytes bytes, ParkExpiredPayload& payload);
[[nodiscard]] bool decode(PayloadBytes bytes, AddressPayload& payload);
[[nodiscard]] bool decode(PayloadBytes bytes, OutputPayload& payload);
[[nodiscard]] bool decode(PayloadBytes bytes, Checkpoint& payload);
[[nodiscard]] bool decode(PayloadBytes bytes, EndPayload& payload);

// A number without sign as a varint; small numbers take one byte.
inline void put_number(ByteWriter& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.u8(static_cast<std::uint8_t>(value | 0x80));
    value >>= 7;
  }
  out.u8(static_cast<std::uint8_t>(value));
}

}  // namespace wt::harness
