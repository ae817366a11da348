// Random appends of several brokers to one stream, with takeovers, crashes, held points, and service
// calls that are refused, slow or lose their request or answer. Afterwards a new owner reads the log:
//   - it is dense, and every offset was given once;
//   - every append that was reported committed is there, at the place it was told, once;
//   - nothing that was reported as not committed is there;
//   - what stayed unknown is there once or not at all.
// The same steps run twice give the same trace.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "sim/stream/records.h"
#include "tests/unit/stream/world.h"

namespace wt::stream {
namespace {

enum class Kind : std::uint8_t { append, start_append, open, crash, rule, clear_rules, trim, advance, read };

struct Step {
  Kind kind;
  std::uint8_t broker;
  std::uint8_t point;
  std::uint8_t action;
  std::uint8_t number;
};

constexpr const char* kPoints[] = {
    "append.admitted",
    "append.lane.entered",
    "append.wal.before",
    "append.wal.durable",
    "append.protected",
    "append.intent.written",
    "append.head.before",
    "append.head.committed",
    "append.index.written",
    "append.recovery.started",
    "append.recovery.resolved",
    "open.session.acquired",
    "open.head.read",
    "metadata.get",
    "metadata.cas",
    "metadata.cas",
    "metadata.cas",
    "metadata.list",
    "objects.put",
    "objects.get",
};
constexpr FaultAction kPointActions[] = {FaultAction::crash, FaultAction::hold, FaultAction::delay,
                                         FaultAction::refuse};
constexpr FaultAction kCallActions[] = {FaultAction::refuse,      FaultAction::lose_request,
                                        FaultAction::lose_answer, FaultAction::lose_answer,
                                        FaultAction::delay,       FaultAction::crash};

struct Known {
  bool answered = false;
  AppendResult first;
  bool settled = false;
  AppendResult last;
  std::int32_t records = 0;
};
using Ledger = std::map<std::string, Known>;

Task<void> append_task(StreamPtr stream, std::vector<formats::Entry> entries, Known* known) {
  AppendResult result = co_await stream->append(std::move(entries));
  known->answered = true;
  known->first = result;
  const bool open = result.outcome == AppendOutcome::kMayHaveCommitted ||
                    (result.outcome == AppendOutcome::kKnownCommitted && !result.status.ok());
  if (open) {
    const AppendAttemptId attempt = result.attempt;
    AppendResult last = co_await stream->resolve(attempt);
    result = last;
  }
  known->settled = true;
  known->last = result;
}

class Run {
 public:
  Run(const KernelOptions& options, const LinkLatency& latency) : world_(options, latency) {
    world_.limits.tail_cache_entries = 4;
    world_.limits.recovery_page_commits = 2;
    world_.limits.index_page = 3;
  }

  void step(const Step& step) {
    const std::int32_t broker = step.broker % 3;
    switch (step.kind) {
      case Kind::append:
        start_append(broker, 1 + step.number % 3);
        world_.kernel.run_until(world_.kernel.now() + 20 * kMillisecond_ns);
        break;
      case Kind::start_append:
        start_append(broker, 1 + step.number % 3);
        break;
      case Kind::open:
        open(broker);
        break;
      case Kind::crash:
        world_.crash(broker);
        streams_.erase(broker);
        break;
      case Kind::rule:
        add_rule(step);
        break;
      case Kind::clear_rules:
        world_.rules.remove_all();
        break;
      case Kind::trim:
        trim(broker, step.number);
        break;
      case Kind::advance:
        world_.kernel.run_until(world_.kernel.now() + step.number * 100 * kMillisecond_ns);
        break;
      case Kind::read:
        if (StreamPtr stream = stream_of(broker))
          world_.process(broker).spawn(read_task(stream, step.number));
        break;
    }
    check_finding();
  }

  void finish() {
    world_.rules.remove_all();
    world_.kernel.run_until(world_.kernel.now() + 5 * kMinute_ns);
    check_finding();
    StreamPtr owner = world_.lead(0, ++authority_);
    RC_ASSERT(owner);
    std::map<std::string, std::int64_t> found;
    std::int64_t next = owner->trim_offset();
    std::int64_t next_ordinal = owner->trim_ordinal();
    bool first = true;
    bool dense = true;
    bool once = true;
    const EntryVisitor visit = [&](const StoredEntry& entry) {
      if (first) {
        dense = dense && entry.start() <= next && entry.end() > next;
      } else {
        dense = dense && entry.start() == next;
      }
      dense = dense && entry.ordinal == next_ordinal;
      first = false;
      next = entry.end();
      next_ordinal = entry.ordinal_end();
      once = found.emplace(std::string(entry.entry.payload.text()), entry.start()).second && once;
      return ok_status();
    };
    owner->drop_cache();
    auto scanned = world_.run(0, owner->scan(0, visit));
    RC_ASSERT(scanned.has_value());
    RC_ASSERT(scanned->ok());
    RC_ASSERT(dense);
    RC_ASSERT(once);
    RC_ASSERT(next == owner->committed_end());
    RC_ASSERT(next_ordinal == owner->ordinal_end());
    for (const auto& [text, known] : ledger_) check(text, known, found, owner->trim_offset());
    // Nothing pending is left, and the index is whole.
    RC_ASSERT(world_.metadata.items("c1/p/").empty());
    RC_ASSERT(world_.metadata.items("c1/i/").size() ==
              static_cast<std::size_t>(owner->head().commit_version));
    RC_ASSERT(world_.append(0, owner, "last")->ok());
    check_finding();
  }
  std::uint64_t hash() {
    return world_.kernel.trace().hash() ^ world_.metadata.digest() ^ world_.objects.digest();
  }
  std::size_t committed() const { return committed_; }

 private:
  void check(const std::string& text, const Known& known, const std::map<std::string, std::int64_t>& found,
             std::int64_t trim_offset) {
    const auto at = found.find(text);
    for (const AppendResult* result :
         {known.answered ? &known.first : nullptr, known.settled ? &known.last : nullptr}) {
      if (result == nullptr) continue;
      if (result->outcome == AppendOutcome::kKnownNotCommitted) RC_ASSERT(at == found.end());
      if (result->outcome != AppendOutcome::kKnownCommitted) continue;
      ++committed_;
      if (result->end <= trim_offset) continue;
      RC_ASSERT(at != found.end());
      RC_ASSERT(at->second == result->start);
      RC_ASSERT(result->end == result->start + known.records);
    }
  }

  StreamPtr stream_of(std::int32_t broker) {
    if (!world_.processes.contains(broker)) streams_.erase(broker);
    auto found = streams_.find(broker);
    return found == streams_.end() ? nullptr : *found->second;
  }
  void start_append(std::int32_t broker, std::int32_t records) {
    StreamPtr stream = stream_of(broker);
    if (stream == nullptr) return;
    const std::string text = "entry " + std::to_string(ledger_.size());
    Known& known = ledger_[text];
    known.records = records;
    world_.process(broker).spawn(append_task(stream, one(text, records, records % 2 + 1), &known));
  }
  static Task<void> open_task(StreamStorage* storage, const OpenRequest& request,
                              std::shared_ptr<StreamPtr> out) {
    StatusOr<StreamPtr> opened = co_await storage->open(request);
    if (opened.ok()) *out = std::move(*opened);
  }
  // A broker that runs keeps its old stream, as a broker would that does not know yet.
  void open(std::int32_t broker) {
    stream_of(broker);
    if (!world_.processes.contains(broker)) storages_[broker] = &world_.start(broker);
    auto slot = std::make_shared<StreamPtr>();
    world_.requests.push_back(std::make_unique<OpenRequest>(open_request(++authority_)));
    world_.process(broker).spawn(open_task(storages_[broker], *world_.requests.back(), slot));
    world_.kernel.run_until(world_.kernel.now() + 20 * kMillisecond_ns);
    if (*slot != nullptr) streams_[broker] = slot;
  }
  void add_rule(const Step& step) {
    const std::string point = kPoints[step.point % std::size(kPoints)];
    FaultRule rule;
    rule.point = point;
    const bool call = point.starts_with("metadata") || point.starts_with("objects");
    rule.action = call ? kCallActions[step.action % std::size(kCallActions)]
                       : kPointActions[step.action % std::size(kPointActions)];
    rule.count = 1 + step.number % 2;
    rule.skip = step.number / 2 % 4;
    rule.delay_ns = 300 * kMillisecond_ns;
    RC_ASSERT(world_.rules.add(rule).ok());
  }
  static Task<void> trim_task(StreamPtr stream, std::int64_t offset) {
    Status trimmed = co_await stream->trim(offset);
    trimmed.IgnoreError();
  }
  void trim(std::int32_t broker, std::uint8_t number) {
    StreamPtr stream = stream_of(broker);
    if (stream == nullptr) return;
    world_.process(broker).spawn(trim_task(stream, stream->committed_end() * number / 16));
  }
  static Task<void> read_task(StreamPtr stream, std::uint8_t number) {
    stream->drop_cache();
    ReadRequest request;
    request.from = stream->trim_offset() + number % 4;
    request.coordinate = number % 2 == 0 ? Coordinate::kOffset : Coordinate::kOrdinal;
    if (request.coordinate == Coordinate::kOrdinal) request.from = stream->trim_ordinal() + number % 3;
    StatusOr<ReadResult> result = co_await stream->read(request);
    if (!result.ok()) co_return;
    for (std::size_t i = 1; i < result->entries.size(); ++i) {
      WT_INVARIANT(result->entries[i].start() == result->entries[i - 1].end(), "test.read.dense", "gap");
      WT_INVARIANT(result->entries[i].ordinal == result->entries[i - 1].ordinal_end(), "test.read.dense",
                   "gap");
    }
  }
  void check_finding() {
    if (world_.kernel.finding())
      RC_FAIL(world_.kernel.finding()->check + ": " + world_.kernel.finding()->message);
  }

  World world_;
  Ledger ledger_;
  std::map<std::int32_t, std::shared_ptr<StreamPtr>> streams_;
  std::map<std::int32_t, StreamStorage*> storages_;
  std::int64_t authority_ = 0;
  std::size_t committed_ = 0;
};

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(
      rc::gen::set(&Step::kind, rc::gen::weightedElement<Kind>({{12, Kind::append},
                                                                {8, Kind::start_append},
                                                                {4, Kind::open},
                                                                {2, Kind::crash},
                                                                {6, Kind::rule},
                                                                {1, Kind::clear_rules},
                                                                {1, Kind::trim},
                                                                {3, Kind::advance},
                                                                {2, Kind::read}})),
      rc::gen::set(&Step::broker, rc::gen::element<std::uint8_t>(0, 0, 0, 1, 1, 2)),
      rc::gen::set(&Step::point, rc::gen::arbitrary<std::uint8_t>()),
      rc::gen::set(&Step::action, rc::gen::arbitrary<std::uint8_t>()),
      rc::gen::set(&Step::number, rc::gen::inRange<std::uint8_t>(0, 16)));
}

void run_twice(const LinkLatency& latency, ReadyOrder order = ReadyOrder::fifo) {
  KernelOptions options;
  options.seed = *rc::gen::arbitrary<std::uint64_t>();
  options.ready.order = order;
  auto steps = *rc::gen::scale(2.0, rc::gen::container<std::vector<Step>>(any_step()));
  steps.insert(steps.begin(), Step{Kind::open, 0, 0, 0, 0});
  std::uint64_t hashes[2];
  for (std::uint64_t& hash : hashes) {
    Run run(options, latency);
    for (const Step& step : steps) run.step(step);
    run.finish();
    hash = run.hash();
    if (&hash == hashes) RC_CLASSIFY(run.committed() > 5, "more than five committed");
  }
  RC_ASSERT(hashes[0] == hashes[1]);
}

TEST_CASE("a stream keeps its promises under takeovers, crashes and lost answers, without latency") {
  CHECK(rc::check([] { run_twice({}); }));
}

TEST_CASE("a stream keeps its promises under takeovers, crashes and lost answers, with slow links") {
  CHECK(rc::check([] {
    LinkLatency latency;
    latency.base_ns = kMillisecond_ns;
    latency.tail_mean_ns = 5 * kMillisecond_ns;
    latency.tail_ppm = 200'000;
    run_twice(latency);
  }));
}

TEST_CASE("a stream keeps its promises whatever is ready first") {
  CHECK(rc::check([] {
    LinkLatency latency;
    latency.base_ns = kMillisecond_ns;
    run_twice(latency, ReadyOrder::random);
  }));
}

}  // namespace
}  // namespace wt::stream
