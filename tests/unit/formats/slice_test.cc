#include "sim/formats/slice.h"

#include <catch2/catch.hpp>
#include <limits>

#include "sim/formats/byte_reader.h"
#include "sim/formats/byte_writer.h"

using namespace wt;

TEST_CASE("a slice keeps its block alive and an empty part does not") {
  Block* block = Block::create(16);
  std::memcpy(block->data(), "0123456789abcdef", 16);
  {
    Slice whole(block, block->data(), 16);
    block->unref();
    CHECK(block->unique());
    Slice middle = whole.sub(4, 4);
    CHECK_FALSE(block->unique());
    CHECK(middle.text() == "4567");
    const Slice none = whole.sub(16, 0);
    const Slice none_either = whole.from(16);
    CHECK(none.empty());
    CHECK(none_either.empty());
    whole = Slice();
    CHECK(block->unique());
    middle = std::move(middle);
    CHECK(middle.text() == "4567");
  }
}

TEST_CASE("assigning a slice to itself and moving from one") {
  Slice a = Slice::copy_of("hello");
  const Slice& alias = a;
  a = alias;
  CHECK(a.text() == "hello");
  Slice b = std::move(a);
  CHECK(a.empty());
  CHECK(b.text() == "hello");
  a = b;
  CHECK(a == b);
  CHECK(Slice() == Slice::copy_of(""));
  CHECK_FALSE(a == Slice::copy_of("hellO"));
}

TEST_CASE("block data is aligned for any scalar") {
  Block* block = Block::create(1);
  CHECK(reinterpret_cast<std::uintptr_t>(block->data()) % alignof(std::uint64_t) == 0);
  CHECK(block->capacity() == 1);
  block->unref();
}

TEST_CASE("compact copies a small part out of a large block only") {
  Block* block = Block::create(kReadBlock_bytes);
  std::memset(block->data(), 7, kReadBlock_bytes);
  {
    const Slice small(block, block->data() + 10, 100);
    const Slice large(block, block->data(), 2 * kCopyBelow_bytes);
    block->unref();
    const Slice small_copy = small.compact();
    CHECK(small_copy == small);
    CHECK(small_copy.data() != small.data());
    CHECK(large.compact().data() == large.data());
    CHECK(Slice().compact().empty());
  }
}

TEST_CASE("flatten joins pieces, empty ones included") {
  CHECK(flatten({}).empty());
  CHECK(flatten({Slice(), Slice()}).empty());
  const SliceList pieces = {Slice::copy_of("ab"), Slice(), Slice::copy_of("c")};
  CHECK(total_size(pieces) == 3);
  CHECK(flatten(pieces).text() == "abc");
  const SliceList one = {Slice::copy_of("xyz")};
  CHECK(flatten(one).data() == one.front().data());
}

TEST_CASE("fields are written big-endian and read back") {
  ByteWriter out;
  out.i16(-2);
  out.i32(0x01020304);
  out.i64(-1);
  out.u8(0xFE);
  out.text("hi");
  const std::vector<std::uint8_t> expected = {0xFF, 0xFE, 1,    2,    3,    4,    0xFF, 0xFF, 0xFF,
                                              0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE, 'h',  'i'};
  CHECK(std::vector<std::uint8_t>(out.view().begin(), out.view().end()) == expected);
  ByteReader in(out.view());
  CHECK(in.i16() == -2);
  CHECK(in.i32() == 0x01020304);
  CHECK(in.i64() == -1);
  CHECK(in.u8() == 0xFE);
  CHECK(in.take_text(2) == "hi");
  CHECK(in.ok());
  CHECK(in.remaining() == 0);
}

TEST_CASE("a failed read marks the reader bad for good") {
  const std::uint8_t bytes[] = {1, 2, 3};
  ByteReader in(bytes);
  CHECK(in.u8() == 1);
  CHECK(in.u32() == 0);
  CHECK_FALSE(in.ok());
  CHECK(in.u8() == 0);
  CHECK(in.take(1).empty());
  CHECK(in.remaining() == 0);

  ByteReader empty({});
  CHECK(empty.take(0).empty());
  CHECK(empty.ok());
  empty.u8();
  CHECK_FALSE(empty.ok());
}

TEST_CASE("varints of every length, in a buffer that was reserved for them alone") {
  std::vector<std::int64_t> values = {0, 1, std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max()};
  for (int bit = 0; bit < 63; ++bit) {
    for (const std::int64_t near : {-1, 0, 1}) {
      values.push_back((std::int64_t{1} << bit) + near);
      values.push_back(-(std::int64_t{1} << bit) + near);
    }
  }
  ByteWriter measure;
  for (const std::int64_t value : values) measure.varlong(value);
  ByteWriter out(measure.size());
  for (const std::int64_t value : values) out.varlong(value);
  const std::vector<std::uint8_t> bytes = out.take();
  CHECK(bytes.capacity() == measure.size());
  CHECK(out.size() == 0);
  CHECK(std::equal(bytes.begin(), bytes.end(), measure.view().begin(), measure.view().end()));
  ByteReader in(bytes);
  for (const std::int64_t value : values) CHECK(in.varlong() == value);
  CHECK(in.ok());
  CHECK(in.remaining() == 0);
}

TEST_CASE("varints: known encodings and over-long ones") {
  ByteWriter out;
  out.varint(0);
  out.varint(-1);
  out.varint(1);
  out.varint(64);
  out.unsigned_varint(300);
  const std::vector<std::uint8_t> expected = {0, 1, 2, 0x80, 1, 0xAC, 2};
  CHECK(std::vector<std::uint8_t>(out.view().begin(), out.view().end()) == expected);

  const std::uint8_t five[] = {0xFF, 0xFF, 0xFF, 0xFF, 0x7F};
  ByteReader surplus(five);
  CHECK(surplus.unsigned_varint() == 0xFFFFFFFFU);
  CHECK(surplus.ok());
  const std::uint8_t six[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0};
  ByteReader long_one(six);
  long_one.unsigned_varint();
  CHECK_FALSE(long_one.ok());
  const std::uint8_t cut[] = {0x80};
  ByteReader cut_off(cut);
  cut_off.varlong();
  CHECK_FALSE(cut_off.ok());
}

TEST_CASE("a length can be patched in later") {
  ByteWriter out;
  out.u8(9);
  out.i32(0);
  out.u8(9);
  out.patch_i32(1, -2);
  ByteReader in(out.view());
  in.u8();
  CHECK(in.i32() == -2);
  CHECK(in.u8() == 9);
}
