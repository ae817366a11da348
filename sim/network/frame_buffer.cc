#include "sim/network/frame_buffer.h"

#include <algorithm>

#include "sim/formats/byte_reader.h"

namespace wt {

void FrameBuffer::feed(Slice bytes) {
  if (bytes.empty()) return;
  buffered_bytes_ += bytes.size();
  pieces_.push_back(std::move(bytes));
}

FrameBuffer::State FrameBuffer::state() {
  if (frame_bytes_ < 0) {
    if (buffered_bytes_ < 4) return State::incomplete;
    const Slice length = take(4);
    claimed_bytes_ = ByteReader(length.bytes()).i32();
    frame_bytes_ = claimed_bytes_;
    if (frame_bytes_ <= 0 || frame_bytes_ > max_frame_bytes_) {
      frame_bytes_ = max_frame_bytes_ + 1;  // stays bad
      return State::bad_length;
    }
  }
  if (frame_bytes_ > max_frame_bytes_) return State::bad_length;
  return buffered_bytes_ >= static_cast<std::size_t>(frame_bytes_) ? State::ready : State::incomplete;
}

Slice FrameBuffer::pop() {
  const auto size_bytes = static_cast<std::size_t>(frame_bytes_);
  frame_bytes_ = -1;
  return take(size_bytes);
}

Slice FrameBuffer::take(std::size_t size_bytes) {
  buffered_bytes_ -= size_bytes;
  Slice& front = pieces_.front();
  if (front.size() > size_bytes) {
    Slice part = front.sub(0, size_bytes);
    front = front.from(size_bytes);
    return part;
  }
  if (front.size() == size_bytes) {
    Slice whole = std::move(front);
    pieces_.pop_front();
    return whole;
  }
  SliceList parts;
  std::size_t missing_bytes = size_bytes;
  while (missing_bytes > 0) {
    Slice& piece = pieces_.front();
    const std::size_t taken_bytes = std::min(missing_bytes, piece.size());
    parts.push_back(piece.sub(0, taken_bytes));
    missing_bytes -= taken_bytes;
    if (taken_bytes == piece.size()) {
      pieces_.pop_front();
    } else {
      piece = piece.from(taken_bytes);
    }
  }
  return flatten(parts);
}

}  // namespace wt
