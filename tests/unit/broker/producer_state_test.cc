// Rows D1–D16: what a leader remembers of idempotent producers, and what it refuses.
#include <catch2/catch.hpp>
#include <limits>

#include "sim/broker/producer_state.h"

using namespace wt;
using broker::ProducerStates;
using broker::SequenceFault;

namespace {

constexpr std::int32_t kLastSequence = std::numeric_limits<std::int32_t>::max();

// A log with producer states on top: batches get the next offset.
struct Log {
  formats::EntryHeader batch(std::int32_t first_sequence, std::int32_t count, std::int16_t epoch = 0,
                             std::int64_t id = 7) const {
    formats::EntryHeader header;
    header.base_offset = end;
    header.record_count = count;
    header.producer_id = id;
    header.producer_epoch = epoch;
    header.base_sequence = first_sequence;
    header.max_timestamp = now_ms;
    return header;
  }
  broker::SequenceVerdict check(const formats::EntryHeader& header) const { return states.check(header); }
  SequenceFault fault(std::int32_t first_sequence, std::int32_t count, std::int16_t epoch = 0) const {
    return states.check(batch(first_sequence, count, epoch)).fault;
  }
  void append(const formats::EntryHeader& header) {
    const auto verdict = states.check(header);
    REQUIRE(verdict.fault == SequenceFault::none);
    REQUIRE_FALSE(verdict.duplicate);
    states.apply(header);
    end = header.next_offset();
  }
  void append(std::int32_t first_sequence, std::int32_t count, std::int16_t epoch = 0) {
    append(batch(first_sequence, count, epoch));
  }

  ProducerStates states;
  std::int64_t end = 0;
  std::int64_t now_ms = 1000;
};

}  // namespace

TEST_CASE("D1: each of the last five batches is recognised, with its first offset and time") {
  Log log;
  for (std::int32_t i = 0; i < 6; ++i) {
    log.now_ms = 1000 + i;
    log.append(i * 2, 2);
  }
  for (std::int32_t i = 1; i < 6; ++i) {
    const auto verdict = log.check(log.batch(i * 2, 2));
    REQUIRE(verdict.duplicate);
    CHECK(verdict.duplicate->base_offset == i * 2);
    CHECK(verdict.duplicate->last_offset == i * 2 + 1);
    CHECK(verdict.duplicate->timestamp_ms == 1000 + i);
  }
}

TEST_CASE("D1: a duplicate is recognised by states that were rebuilt from the log") {
  Log log;
  log.append(0, 3);
  log.append(3, 1);
  ProducerStates rebuilt;
  for (const auto& [first, count, offset] : {std::tuple{0, 3, 0}, std::tuple{3, 1, 3}}) {
    formats::EntryHeader header = log.batch(first, count);
    header.base_offset = offset;
    rebuilt.apply(header);
  }
  CHECK(rebuilt.check(log.batch(3, 1)).duplicate->base_offset == 3);
  CHECK(rebuilt.digest() == log.states.digest());
}

TEST_CASE("D2: a batch older than the last five is out of order") {
  Log log;
  for (std::int32_t i = 0; i < 6; ++i) log.append(i, 1);
  CHECK(log.fault(0, 1) == SequenceFault::gap);
}

TEST_CASE("D3: a gap is refused, and so is a step back") {
  Log log;
  log.append(0, 3);
  CHECK(log.fault(4, 1) == SequenceFault::gap);
  CHECK(log.fault(2, 1) == SequenceFault::gap);
  CHECK(log.fault(3, 1) == SequenceFault::none);
}

TEST_CASE("D4: sequence numbers wrap to 0, between batches and inside one") {
  Log between;
  between.append(kLastSequence, 1);
  CHECK(between.fault(1, 1) == SequenceFault::gap);
  between.append(0, 1);
  Log inside;
  inside.append(kLastSequence - 1, 4);  // the last two are 0 and 1
  CHECK(inside.check(inside.batch(kLastSequence - 1, 4)).duplicate);
  CHECK(inside.fault(3, 1) == SequenceFault::gap);
  inside.append(2, 1);
}

TEST_CASE("D5: a retry that was batched anew is no duplicate") {
  Log log;
  log.append(0, 3);
  CHECK(log.fault(0, 2) == SequenceFault::gap);
  CHECK(log.fault(0, 4) == SequenceFault::gap);
  CHECK_FALSE(log.check(log.batch(0, 2)).duplicate);
}

TEST_CASE("D6 and D7: a higher epoch begins at 0 and forgets the batches of the lower one") {
  Log log;
  log.append(0, 3);
  CHECK(log.fault(3, 1, 1) == SequenceFault::new_epoch_not_at_zero);
  log.append(0, 1, 1);
  CHECK(log.states.find(7)->epoch == 1);
  CHECK(log.states.find(7)->batches.size() == 1);
  // The same sequences under the old epoch are stale now, not duplicates.
  CHECK_FALSE(log.check(log.batch(0, 3, 0)).duplicate);
  log.append(1, 1, 1);
}

TEST_CASE("D8: a lower epoch is stale, whatever the sequence") {
  Log log;
  log.append(0, 1, 5);
  CHECK(log.fault(0, 1, 4) == SequenceFault::stale_epoch);
  CHECK(log.fault(1, 1, 4) == SequenceFault::stale_epoch);
  CHECK(log.fault(77, 1, 0) == SequenceFault::stale_epoch);
}

TEST_CASE("D9: an unknown producer may begin anywhere") {
  Log log;
  CHECK(log.fault(0, 1) == SequenceFault::none);
  CHECK(log.fault(4711, 1) == SequenceFault::none);
  log.append(4711, 1, 3);
  CHECK(log.fault(4712, 1, 3) == SequenceFault::none);
}

TEST_CASE("D12: a plain batch inside the producer's own transaction is refused") {
  Log log;
  formats::EntryHeader begun = log.batch(0, 1);
  begun.transactional = true;
  log.append(begun);
  CHECK(log.fault(1, 1) == SequenceFault::open_transaction);
  formats::EntryHeader next = log.batch(1, 1);
  next.transactional = true;
  CHECK(log.check(next).fault == SequenceFault::none);
}

TEST_CASE("a transaction pins the first unstable offset until its marker, which keeps the sequences") {
  Log log;
  log.append(0, 2);
  CHECK_FALSE(log.states.first_unstable_offset());
  formats::EntryHeader begun = log.batch(2, 1);
  begun.transactional = true;
  log.append(begun);
  formats::EntryHeader other = log.batch(0, 1, 0, 8);
  other.transactional = true;
  log.append(other);
  CHECK(log.states.first_unstable_offset() == 2);
  formats::EntryHeader marker = log.batch(-1, 1);
  marker.control = marker.transactional = true;
  log.append(marker);
  CHECK(log.states.first_unstable_offset() == 3);
  log.append(3, 1);
}

TEST_CASE("a marker with a higher epoch makes that producer begin at 0 again") {
  Log log;
  log.append(0, 5);
  formats::EntryHeader marker = log.batch(-1, 1, 1);
  marker.control = marker.transactional = true;
  log.append(marker);
  CHECK(log.fault(5, 1, 1) == SequenceFault::gap);
  CHECK(log.fault(0, 1, 1) == SequenceFault::none);
  CHECK(log.fault(5, 1, 0) == SequenceFault::stale_epoch);
}

TEST_CASE("D13 and D14: an idle producer is forgotten, unless its transaction is open") {
  Log log;
  log.append(0, 1);
  formats::EntryHeader begun = log.batch(0, 1, 0, 8);
  begun.transactional = true;
  log.append(begun);
  CHECK(log.states.expire(1000 + 99, 100) == 0);
  CHECK(log.states.expire(1000 + 100, 100) == 1);
  CHECK(log.states.find(7) == nullptr);
  REQUIRE(log.states.find(8) != nullptr);
  CHECK(log.states.first_unstable_offset() == 1);
  CHECK(log.fault(1234, 1) == SequenceFault::none);
}

TEST_CASE("batches without producer id or without sequence leave no state") {
  Log log;
  log.append(log.batch(-1, 3, -1, -1));
  CHECK(log.states.size() == 0);
  // A producer id with epoch -1 and no sequence is no idempotent batch.
  log.append(log.batch(-1, 3, -1, 7));
  CHECK(log.states.size() == 0);
}

TEST_CASE("producers do not disturb each other") {
  Log log;
  log.append(log.batch(0, 1, 0, 1));
  log.append(log.batch(0, 1, 0, 2));
  log.append(log.batch(1, 1, 0, 1));
  CHECK(log.check(log.batch(1, 1, 0, 2)).fault == SequenceFault::none);
  CHECK(log.check(log.batch(0, 1, 0, 2)).duplicate->base_offset == 1);
}

TEST_CASE("sequences add up modulo 2^31") {
  CHECK(broker::add_sequence(kLastSequence, 1) == 0);
  CHECK(broker::add_sequence(kLastSequence, kLastSequence) == kLastSequence - 1);
  CHECK(broker::add_sequence(0, 0) == 0);
}
