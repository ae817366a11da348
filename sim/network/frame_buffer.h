// Cuts a stream of bytes into frames: a four-byte big-endian length, then that many bytes.
//
// Kafka and Pulsar both frame like this. A frame that arrived in one piece is a view of it; only
// frames that were cut are joined. Memory is bounded by what has really arrived.
#pragma once

#include <cstdint>
#include <deque>

#include "sim/formats/slice.h"

namespace wt {

class FrameBuffer {
 public:
  explicit FrameBuffer(std::int64_t max_frame_bytes) : max_frame_bytes_(max_frame_bytes) {}

  void feed(Slice bytes);
  enum class State : std::uint8_t { incomplete, ready, bad_length };
  // bad_length: not positive or above the maximum; the stream cannot be read any further.
  State state();
  // The next frame without its length; only in state ready.
  Slice pop();
  std::size_t buffered_bytes() const noexcept { return buffered_bytes_; }
  // What a bad length was.
  std::int64_t claimed_bytes() const noexcept { return claimed_bytes_; }
  // Counts from the next frame on.
  void set_max_frame_bytes(std::int64_t max_frame_bytes) noexcept { max_frame_bytes_ = max_frame_bytes; }

 private:
  Slice take(std::size_t size_bytes);

  std::int64_t max_frame_bytes_;
  std::deque<Slice> pieces_;
  std::size_t buffered_bytes_ = 0;
  std::int64_t claimed_bytes_ = 0;
  std::int64_t frame_bytes_ = -1;  // -1: the length is not read yet
};

}  // namespace wt
