// A partition over a log in memory: admission, boundaries, leadership.
#include <catch2/catch.hpp>
#include <deque>

#include "sim/broker/partition.h"
#include "sim/formats/record_batch.h"

using namespace wt;
using namespace wt::broker;

namespace {

// What happens to appends is scripted; without a script they are committed.
struct Script {
  std::vector<formats::Entry> entries;
  std::int64_t start = 0;
  std::deque<AppendOutcome> appends;
  std::deque<AppendOutcome> settles;
  std::deque<Status> opens;
  int open_calls = 0;
  int close_calls = 0;
  DurationNs append_takes_ns = 0;

  std::int64_t end() const { return entries.empty() ? start : entries.back().header.next_offset(); }
};

template <class T>
T next_of(std::deque<T>& queue, T otherwise) {
  if (queue.empty()) return otherwise;
  T value = queue.front();
  queue.pop_front();
  return value;
}

class ScriptedLog final : public PartitionLog {
 public:
  ScriptedLog(Process& process, Script& script) : process_(process), script_(script) {}

  Task<Status> open(std::int32_t, const std::function<void(const formats::Entry&)>& replay) override {
    ++script_.open_calls;
    Status status = next_of(script_.opens, ok_status());
    if (!status.ok()) co_return status;
    for (const formats::Entry& entry : script_.entries) {
      if (entry.header.next_offset() > script_.start) replay(entry);
    }
    co_return status;
  }
  Task<AppendResult> append(const formats::Entry& entry) override {
    if (script_.append_takes_ns > 0) co_await process_.sleep(script_.append_takes_ns);
    pending_ = entry;
    co_return finish(next_of(script_.appends, AppendOutcome::committed));
  }
  Task<AppendResult> settle() override {
    co_return finish(next_of(script_.settles, AppendOutcome::committed));
  }
  Task<StatusOr<LogRead>> read(std::int64_t, const LogReadLimits&) override { co_return LogRead(); }
  bool read_cached(std::int64_t, const LogReadLimits&, LogRead&) const override { return false; }
  Task<Status> trim(std::int64_t new_start_offset) override {
    script_.start = new_start_offset;
    co_return ok_status();
  }
  void close() override { ++script_.close_calls; }
  std::int64_t start_offset() const override { return script_.start; }
  std::int64_t end_offset() const override { return script_.end(); }

 private:
  AppendResult finish(AppendOutcome outcome) {
    AppendResult result;
    result.outcome = outcome;
    if (outcome != AppendOutcome::committed) return result;
    result.base_offset = pending_.header.base_offset = script_.end();
    script_.entries.push_back(pending_);
    return result;
  }
  Process& process_;
  Script& script_;
  formats::Entry pending_;
};

struct Stage final : PartitionListener {
  Stage() {
    partition.listen(*this);
    partition.set_settings({});
  }
  void on_partition_changed() override { ++changes; }
  void lead(std::int32_t epoch) {
    partition.become_leader(epoch);
    kernel.run_ready();
  }
  void run() {
    kernel.run_until(kernel.now() + kSecond_ns);
    if (kernel.finding()) FAIL(kernel.finding()->message);
  }
  ProduceResult produce(const Slice& records, bool all_in_sync = true) {
    ProduceResult result;
    process.spawn(produce_into(records, all_in_sync, result));
    run();
    return result;
  }
  Task<void> produce_into(Slice records, bool all_in_sync, ProduceResult& result) {
    AdmissionOptions options;
    options.all_in_sync = all_in_sync;
    result = co_await partition.produce(records, options);
  }
  Refusal delete_before(std::int64_t offset) {
    Refusal refusal = Refusal::storage_unknown;
    process.spawn(delete_into(offset, refusal));
    run();
    return refusal;
  }
  Task<void> delete_into(std::int64_t offset, Refusal& refusal) {
    refusal = co_await partition.delete_before(offset);
  }

  // `count` records; with a producer id the batch is idempotent.
  Slice batch(std::int32_t count, std::int64_t producer_id = -1, std::int32_t sequence = -1,
              formats::Codec codec = formats::Codec::kNone) const {
    formats::BatchOptions options;
    options.codec = codec;
    options.producer_id = producer_id;
    options.producer_epoch = producer_id < 0 ? std::int16_t{-1} : std::int16_t{0};
    options.base_sequence = sequence;
    formats::BatchBuilder builder(options);
    for (std::int32_t i = 0; i < count; ++i) {
      formats::NewRecord record;
      record.value = "v";
      record.timestamp_ms = to_ms(kernel.now()) + i;
      builder.add(record);
    }
    return builder.build();
  }

  Script script;
  Kernel kernel{KernelOptions{}};
  FaultRules rules{kernel};
  Process& process{kernel.create_process("broker")};
  Partition partition{process, rules, {"orders", 0, 1}, std::make_unique<ScriptedLog>(process, script)};
  int changes = 0;
};

}  // namespace

TEST_CASE("a committed batch moves LEO, HW and LSO together") {
  Stage stage;
  stage.lead(0);
  REQUIRE(stage.partition.role() == Role::leader);
  const ProduceResult first = stage.produce(stage.batch(3));
  CHECK(first.refusal == Refusal::none);
  CHECK(first.base_offset == 0);
  CHECK(first.log_append_time_ms == -1);
  CHECK(stage.produce(stage.batch(2)).base_offset == 3);
  CHECK(stage.partition.log_end_offset() == 5);
  CHECK(stage.partition.high_watermark() == 5);
  CHECK(stage.partition.last_stable_offset() == 5);
}

TEST_CASE("a partition that does not lead, or is not open yet, admits nothing") {
  Stage stage;
  CHECK(stage.produce(stage.batch(1)).refusal == Refusal::not_leader);
  stage.script.opens = {make_status(StatusCode::kUnavailable, "away"),
                        make_status(StatusCode::kUnavailable, "away")};
  stage.lead(0);
  CHECK(stage.partition.check_leader(-1) == Refusal::opening);
  stage.run();
  CHECK(stage.script.open_calls == 3);
  CHECK(stage.partition.role() == Role::leader);
  stage.partition.become_follower(1, 2);
  CHECK(stage.script.close_calls > 0);
  CHECK(stage.produce(stage.batch(1)).refusal == Refusal::not_leader);
  CHECK(stage.script.entries.empty());
}

TEST_CASE("A1 to A3: the epoch is compared before leadership") {
  Stage stage;
  stage.lead(3);
  CHECK(stage.partition.check_leader(2) == Refusal::fenced_leader_epoch);
  CHECK(stage.partition.check_leader(4) == Refusal::unknown_leader_epoch);
  CHECK(stage.partition.check_leader(3) == Refusal::none);
  stage.partition.become_follower(4, 2);
  CHECK(stage.partition.check_leader(3) == Refusal::fenced_leader_epoch);
  CHECK(stage.partition.check_leader(5) == Refusal::unknown_leader_epoch);
  CHECK(stage.partition.check_leader(4) == Refusal::not_leader);
}

TEST_CASE("a log that a newer leader has taken fences the partition at open") {
  Stage stage;
  stage.script.opens = {make_status(StatusCode::kFailedPrecondition, "newer")};
  stage.lead(1);
  CHECK(stage.partition.role() == Role::fenced);
  CHECK(stage.partition.check_leader(-1) == Refusal::not_leader);
  // The next epoch opens it again.
  stage.lead(2);
  CHECK(stage.partition.role() == Role::leader);
}

TEST_CASE("a new leader rebuilds producers, epochs and times from the log") {
  Stage stage;
  stage.lead(0);
  stage.produce(stage.batch(2, 7, 0));
  stage.partition.become_follower(1, 2);
  stage.lead(2);
  REQUIRE(stage.partition.role() == Role::leader);
  CHECK(stage.partition.high_watermark() == 2);
  const ProduceResult again = stage.produce(stage.batch(2, 7, 0));
  CHECK(again.duplicate);
  CHECK(again.base_offset == 0);
  CHECK(stage.partition.epochs().epoch_at(1) == 0);
  CHECK(stage.partition.epochs().end_of(0, 2).offset == 2);
  CHECK(stage.partition.times().largest(2) == 0);
}

TEST_CASE(
    "an append of unknown outcome blocks the partition until it is settled, and its retry is a duplicate") {
  Stage stage;
  stage.lead(0);
  stage.script.appends = {AppendOutcome::unknown};
  stage.script.settles = {AppendOutcome::unknown, AppendOutcome::unknown, AppendOutcome::committed};
  const Slice batch = stage.batch(1, 7, 0);
  ProduceResult first, second;
  stage.process.spawn(stage.produce_into(batch, true, first));
  stage.process.spawn(stage.produce_into(batch, true, second));
  stage.kernel.run_ready();
  CHECK(first.refusal == Refusal::storage_unknown);
  CHECK(stage.partition.high_watermark() == 0);
  stage.run();
  CHECK(second.duplicate);
  CHECK(second.base_offset == 0);
  CHECK(stage.partition.high_watermark() == 1);
  CHECK(stage.script.entries.size() == 1);
}

TEST_CASE("an append that was proven not committed leaves no trace in the producer's state") {
  Stage stage;
  stage.lead(0);
  stage.script.appends = {AppendOutcome::not_committed};
  CHECK(stage.produce(stage.batch(1, 7, 0)).refusal == Refusal::storage_refused);
  CHECK(stage.partition.producers().size() == 0);
  CHECK(stage.produce(stage.batch(1, 7, 0)).base_offset == 0);
}

TEST_CASE("a fenced append ends the leadership at once") {
  Stage stage;
  stage.lead(0);
  stage.script.appends = {AppendOutcome::fenced};
  CHECK(stage.produce(stage.batch(1)).refusal == Refusal::not_leader);
  CHECK(stage.partition.role() == Role::fenced);
}

TEST_CASE("a leader that is deposed while it appends does not acknowledge") {
  Stage stage;
  stage.lead(0);
  stage.script.append_takes_ns = 10 * kMillisecond_ns;
  ProduceResult result;
  stage.process.spawn(stage.produce_into(stage.batch(1), true, result));
  stage.kernel.run_ready();
  stage.partition.become_follower(1, 2);
  stage.run();
  CHECK(result.refusal == Refusal::not_leader);
}

TEST_CASE("C2 and C5: with too few in sync acks=all is refused, and what others write stays invisible") {
  Stage stage;
  PartitionSettings settings;
  settings.min_in_sync = 2;
  stage.partition.set_settings(settings);
  stage.partition.set_in_sync(2, 3);
  stage.lead(0);
  CHECK(stage.produce(stage.batch(1)).refusal == Refusal::none);
  stage.partition.set_in_sync(1, 3);
  const ProduceResult refused = stage.produce(stage.batch(1));
  CHECK(refused.refusal == Refusal::not_enough_replicas);
  CHECK(refused.log_start_offset == 0);
  CHECK(stage.produce(stage.batch(1), false).base_offset == 1);
  CHECK(stage.partition.log_end_offset() == 2);
  CHECK(stage.partition.high_watermark() == 1);
  CHECK(stage.partition.last_stable_offset() == 1);
  const int before = stage.changes;
  stage.partition.set_in_sync(2, 3);
  CHECK(stage.partition.high_watermark() == 2);
  CHECK(stage.changes == before + 1);
}

TEST_CASE("C3: acks=all is told when replicas are lost while it appends; the batch stays") {
  Stage stage;
  PartitionSettings settings;
  settings.min_in_sync = 2;
  stage.partition.set_settings(settings);
  stage.partition.set_in_sync(2, 2);
  stage.lead(0);
  stage.script.append_takes_ns = 10 * kMillisecond_ns;
  ProduceResult result;
  stage.process.spawn(stage.produce_into(stage.batch(1, 7, 0), true, result));
  stage.kernel.run_ready();
  stage.partition.set_in_sync(1, 2);
  stage.run();
  CHECK(result.refusal == Refusal::not_enough_replicas_after_append);
  CHECK(stage.partition.high_watermark() == 0);
  stage.partition.set_in_sync(2, 2);
  CHECK(stage.partition.high_watermark() == 1);
  CHECK(stage.produce(stage.batch(1, 7, 0)).duplicate);
}

TEST_CASE("a topic cannot demand more replicas than it has") {
  Stage stage;
  PartitionSettings settings;
  settings.min_in_sync = 3;
  stage.partition.set_settings(settings);
  stage.partition.set_in_sync(1, 1);
  stage.lead(0);
  CHECK(stage.produce(stage.batch(1)).refusal == Refusal::none);
  CHECK(stage.partition.high_watermark() == 1);
}

TEST_CASE("records before a deletion point are gone, beyond HW they cannot be deleted") {
  Stage stage;
  stage.lead(0);
  stage.produce(stage.batch(3, 7, 0));
  stage.produce(stage.batch(2, 7, 3));
  CHECK(stage.delete_before(6) == Refusal::offset_out_of_range);
  CHECK(stage.delete_before(-2) == Refusal::offset_out_of_range);
  CHECK(stage.delete_before(2) == Refusal::none);
  CHECK(stage.partition.log_start_offset() == 2);
  CHECK(stage.delete_before(1) == Refusal::none);
  CHECK(stage.partition.log_start_offset() == 2);
  CHECK(stage.delete_before(-1) == Refusal::none);
  CHECK(stage.partition.log_start_offset() == 5);
  CHECK(stage.partition.high_watermark() == 5);
  // Producers outlive their records.
  CHECK(stage.produce(stage.batch(2, 7, 3)).duplicate);
}

TEST_CASE("a topic's codec is applied by the broker, after the batch was judged") {
  Stage stage;
  PartitionSettings settings;
  settings.codec = formats::Codec::kGzip;
  stage.partition.set_settings(settings);
  stage.lead(0);
  const Slice plain = stage.batch(3, 7, 0);
  CHECK(stage.produce(plain).refusal == Refusal::none);
  const auto stored =
      formats::parse_batch_header(flatten(formats::project_kafka(stage.script.entries[0])).bytes());
  REQUIRE(stored.ok());
  CHECK(stored->codec_id() == static_cast<int>(formats::Codec::kGzip));
  CHECK(stored->record_count == 3);
  CHECK(stored->base_sequence == 0);
  CHECK(stage.produce(plain).duplicate);
  const Slice broken =
      formats::with_header(stage.batch(3), [](formats::BatchHeader& header) { header.record_count = 2; });
  const ProduceResult refused = stage.produce(broken);
  CHECK(refused.refusal == Refusal::bad_batch);
  CHECK(refused.verdict.fault == formats::BatchFault::kCountMismatch);
}

TEST_CASE("listeners may come and go while they are told") {
  struct Shy final : PartitionListener {
    explicit Shy(Partition& p) : partition(p) {}
    void on_partition_changed() override {
      ++changes;
      if (changes > 1) return;
      for (Shy* other : leaves) partition.unlisten(*other);
      if (comes != nullptr) partition.listen(*comes);
    }
    Partition& partition;
    std::vector<Shy*> leaves;
    Shy* comes = nullptr;
    int changes = 0;
  };
  Stage stage;
  Shy first(stage.partition), second(stage.partition), third(stage.partition);
  first.leaves = {&first, &second};
  first.comes = &third;
  stage.partition.listen(first);
  stage.partition.listen(second);
  stage.partition.become_follower(1, 2);
  CHECK(first.changes == 1);
  CHECK(second.changes == 0);
  CHECK(third.changes == 0);
  stage.partition.become_follower(2, 3);
  CHECK(first.changes == 1);
  CHECK(third.changes == 1);
  CHECK(stage.changes == 2);
}

TEST_CASE("a partition that is shut wakes its listeners and admits nothing more") {
  Stage stage;
  stage.lead(0);
  const int before = stage.changes;
  stage.partition.shut();
  CHECK(stage.changes == before + 1);
  CHECK(stage.produce(stage.batch(1)).refusal == Refusal::not_leader);
  stage.partition.shut();
  CHECK(stage.changes == before + 1);
}
