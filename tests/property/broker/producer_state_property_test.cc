// Producer states against a model that remembers every batch ever appended and judges from scratch.
#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <limits>

#include "sim/broker/producer_state.h"

namespace wt::broker {
namespace {

constexpr std::int64_t kModulus = std::int64_t{1} << 31;

// The whole history, judged by its last five batches of the current epoch.
class Model {
 public:
  enum class Verdict { append, duplicate, refuse };
  struct Judgement {
    Verdict verdict = Verdict::append;
    std::int64_t duplicate_offset = -1;
  };

  Judgement judge(const formats::EntryHeader& batch) const {
    if (batch.producer_id < 0 || batch.base_sequence < 0) return {};
    const std::vector<formats::EntryHeader> mine = of(batch.producer_id);
    if (mine.empty()) return {};
    const std::int16_t epoch = mine.back().producer_epoch;
    if (batch.producer_epoch < epoch) return {Verdict::refuse, -1};
    if (batch.producer_epoch > epoch)
      return {batch.base_sequence == 0 ? Verdict::append : Verdict::refuse, -1};
    std::vector<formats::EntryHeader> current;
    for (const formats::EntryHeader& old : mine) {
      if (old.producer_epoch == epoch) current.push_back(old);
    }
    const std::size_t kept = current.size() < 5 ? current.size() : 5;
    for (std::size_t i = current.size() - kept; i < current.size(); ++i) {
      if (current[i].base_sequence == batch.base_sequence && current[i].record_count == batch.record_count) {
        return {Verdict::duplicate, current[i].base_offset};
      }
    }
    const std::int64_t next =
        (current.back().base_sequence + std::int64_t{current.back().record_count}) % kModulus;
    return {batch.base_sequence == next ? Verdict::append : Verdict::refuse, -1};
  }
  void append(const formats::EntryHeader& batch) { log_.push_back(batch); }
  void expire(std::int64_t before_ms) {
    for (std::int64_t id = 0; id < 3; ++id) {
      const std::vector<formats::EntryHeader> mine = of(id);
      if (!mine.empty() && newest(mine) <= before_ms) forgotten_[id] = mine.back().base_offset;
    }
  }
  const std::vector<formats::EntryHeader>& log() const { return log_; }
  bool forgot_any() const { return !forgotten_.empty(); }

  // Batches of the producer since it was forgotten last.
  std::vector<formats::EntryHeader> of(std::int64_t id) const {
    std::vector<formats::EntryHeader> mine;
    const auto forgotten = forgotten_.find(id);
    for (const formats::EntryHeader& batch : log_) {
      const bool idempotent = batch.producer_id == id && batch.base_sequence >= 0;
      if (idempotent && (forgotten == forgotten_.end() || batch.base_offset > forgotten->second))
        mine.push_back(batch);
    }
    return mine;
  }

 private:
  static std::int64_t newest(const std::vector<formats::EntryHeader>& batches) {
    std::int64_t newest_ms = -1;
    for (const formats::EntryHeader& batch : batches) newest_ms = std::max(newest_ms, batch.max_timestamp);
    return newest_ms;
  }
  std::vector<formats::EntryHeader> log_;
  std::map<std::int64_t, std::int64_t> forgotten_;
};

enum class Choice : std::uint8_t { next, repeat_old, gap, zero, near_wrap, none };

struct Step {
  std::int64_t producer;
  Choice choice;
  int epoch_change;
  std::int32_t count;
  std::size_t pick;
  bool expires;
};

formats::EntryHeader candidate(const Model& model, const Step& step, std::int64_t now_ms) {
  formats::EntryHeader batch;
  const std::vector<formats::EntryHeader>& log = model.log();
  batch.base_offset = log.empty() ? 0 : log.back().next_offset();
  batch.record_count = step.count;
  batch.producer_id = step.producer;
  batch.max_timestamp = now_ms;
  const std::vector<formats::EntryHeader> mine = model.of(step.producer);
  const std::int32_t epoch = mine.empty() ? 1 : mine.back().producer_epoch + step.epoch_change;
  batch.producer_epoch = static_cast<std::int16_t>(std::max(0, epoch));
  std::int64_t next = 0;
  if (!mine.empty()) next = (mine.back().base_sequence + std::int64_t{mine.back().record_count}) % kModulus;
  switch (step.choice) {
    case Choice::next:
      batch.base_sequence = static_cast<std::int32_t>(next);
      break;
    case Choice::gap:
      batch.base_sequence =
          static_cast<std::int32_t>((next + 1 + static_cast<std::int64_t>(step.pick)) % kModulus);
      break;
    case Choice::repeat_old:
      if (mine.empty()) break;
      batch.base_sequence = mine[step.pick % mine.size()].base_sequence;
      if (step.pick % 4 != 0) batch.record_count = mine[step.pick % mine.size()].record_count;
      break;
    case Choice::zero:
      batch.base_sequence = 0;
      break;
    case Choice::near_wrap:
      batch.base_sequence =
          std::numeric_limits<std::int32_t>::max() - static_cast<std::int32_t>(step.pick % 3);
      break;
    case Choice::none:
      batch.base_sequence = formats::kNoSequence;
      break;
  }
  if (step.choice == Choice::zero && step.pick % 2 == 0) batch.producer_id = -1;
  return batch;
}

rc::Gen<Step> arbitrary_step() {
  using rc::gen::element;
  using rc::gen::inRange;
  return rc::gen::apply(
      [](std::int64_t producer, Choice choice, int epoch_change, std::int32_t count, std::size_t pick,
         int expires) { return Step{producer, choice, epoch_change, count, pick, expires == 0}; },
      inRange<std::int64_t>(0, 3),
      element(Choice::next, Choice::next, Choice::next, Choice::repeat_old, Choice::gap, Choice::zero,
              Choice::near_wrap, Choice::none),
      element(0, 0, 0, 0, 0, 1, -1), inRange(1, 5), inRange<std::size_t>(0, 16), inRange(0, 20));
}

void check_step(const Model& model, const ProducerStates& states, const formats::EntryHeader& batch) {
  const Model::Judgement expected = model.judge(batch);
  const SequenceVerdict verdict = states.check(batch);
  RC_ASSERT((verdict.fault != SequenceFault::none) == (expected.verdict == Model::Verdict::refuse));
  RC_ASSERT(verdict.duplicate.has_value() == (expected.verdict == Model::Verdict::duplicate));
  if (verdict.duplicate) RC_ASSERT(verdict.duplicate->base_offset == expected.duplicate_offset);
}

}  // namespace

TEST_CASE("producer states judge like a model that remembers everything") {
  const bool ok = rc::check("model", [] {
    const auto steps = *rc::gen::container<std::vector<Step>>(arbitrary_step());
    Model model;
    ProducerStates states;
    std::int64_t now_ms = 0;
    for (const Step& step : steps) {
      now_ms += 10;
      const formats::EntryHeader batch = candidate(model, step, now_ms);
      check_step(model, states, batch);
      if (model.judge(batch).verdict == Model::Verdict::append) {
        model.append(batch);
        states.apply(batch);
      }
      if (step.expires) {
        states.expire(now_ms, 50);
        model.expire(now_ms - 50);
      }
    }
    // A replay of the log gives the same states, as long as nothing was forgotten.
    if (model.forgot_any()) return;
    ProducerStates replayed;
    for (const formats::EntryHeader& batch : model.log()) replayed.apply(batch);
    RC_ASSERT(replayed.digest() == states.digest());
  });
  CHECK(ok);
}

}  // namespace wt::broker
