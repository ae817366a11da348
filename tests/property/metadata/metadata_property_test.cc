// The metadata store against a map with a counter, with calls that are refused, lose their request or
// their answer. After an answer was lost the model takes over what the store did: it must be all of the
// write or nothing of it.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "sim/kernel/status.h"
#include "sim/metadata/client.h"
#include "sim/metadata/store.h"

namespace wt::metadata {
namespace {

struct Step {
  std::uint8_t what;                               // get, multi, list, session, time
  std::uint8_t fault;                              // 0..2: refuse, lose_request, lose_answer; else none
  std::vector<std::array<std::uint8_t, 3>> parts;  // kind, key, expectation
};

struct ModelItem {
  std::string value;
  Version version;
  SessionId owner;
  bool operator==(const ModelItem&) const = default;
};
using Model = std::map<std::string, ModelItem>;

class Run {
 public:
  explicit Run(std::uint64_t seed)
      : kernel_(options(seed)),
        links_(kernel_, {}),
        rules_(kernel_),
        calls_(kernel_, links_, rules_),
        store_(kernel_),
        process_(kernel_.create_process("client")) {
    CallOptions base;
    base.from = links_.add_node("client");
    base.to = links_.add_node("metadata");
    base.timeout_ns = kSecond_ns;
    calls_.serve(base.to, store_);
    client_ = std::make_unique<MetadataClient>(process_, calls_, base);
  }

  void step(const Step& step) {
    arm(step.fault);
    switch (step.what % 5) {
      case 0:
        get(step);
        break;
      case 1:
        write(step);
        break;
      case 2:
        list(step);
        break;
      case 3:
        session(step);
        break;
      default:
        kernel_.run_until(kernel_.now() + 3 * kSecond_ns);
        break;
    }
    rules_.remove_all();
    expire();
    check();
  }
  std::uint64_t hash() const { return const_cast<Kernel&>(kernel_).trace().hash() ^ store_.digest(); }

 private:
  static KernelOptions options(std::uint64_t seed) {
    KernelOptions options;
    options.seed = seed;
    return options;
  }
  void arm(std::uint8_t fault) {
    static constexpr FaultAction kActions[] = {FaultAction::refuse, FaultAction::lose_request,
                                               FaultAction::lose_answer};
    lost_ = fault == 2;
    failing_ = fault < 3;
    if (!failing_) return;
    FaultRule rule;
    rule.point = "metadata.*";
    rule.action = kActions[fault];
    rule.count = 1;
    RC_ASSERT(rules_.add(rule).ok());
  }
  template <class T>
  T run(Task<T> task) {
    std::optional<T> slot;
    process_.spawn(into(std::move(task), &slot));
    kernel_.run_until_condition([&] { return slot.has_value(); }, kernel_.now() + kMinute_ns);
    RC_ASSERT(slot.has_value());
    return std::move(*slot);
  }
  template <class T>
  static Task<void> into(Task<T> task, std::optional<T>* slot) {
    T value = co_await task;
    slot->emplace(std::move(value));
  }
  static std::string key(std::uint8_t n) { return std::string("k/") + static_cast<char>('a' + n % 5); }

  void get(const Step& step) {
    const std::string name = key(step.parts.empty() ? 0 : step.parts[0][1]);
    auto got = run(client_->get(name));
    if (failing_) {
      RC_ASSERT(!got.ok());
      return;
    }
    RC_ASSERT(got.ok() == model_.contains(name));
    if (got.ok())
      RC_ASSERT((ModelItem{std::string(got->value.text()), got->version, got->owner} == model_.at(name)));
  }

  void write(const Step& step) {
    Operations operations;
    Model after = model_;
    std::set<std::string> put;
    bool agreed = !step.parts.empty();
    bool owner_gone = false;
    for (const auto& part : step.parts) {
      const std::string name = key(part[1]);
      const auto found = model_.find(name);
      Version expected = kAny;
      if (part[2] % 3 == 1) expected = kAbsent;
      if (part[2] % 3 == 2) expected = found == model_.end() ? 1 : found->second.version;
      const SessionId owner = part[2] >= 200 ? session_ : 0;
      const auto now = after.find(name);
      const Version version = now == after.end() ? kAbsent : now->second.version;
      if (expected != kAny && expected != version) agreed = false;
      if (part[0] % 3 == 0) {
        const std::string value = std::to_string(++values_);
        operations.push_back(Operation::put(name, Slice::copy_of(value), expected, owner));
        if (owner != 0 && !session_alive_) owner_gone = true;
        after[name] = {value, kNew, owner};
        put.insert(name);
      } else if (part[0] % 3 == 1) {
        operations.push_back(Operation::erase(name, expected));
        after.erase(name);
        put.erase(name);
      } else {
        operations.push_back(Operation::check(name, expected));
      }
    }
    auto written = run(client_->multi(operations));
    const bool applies = agreed && !owner_gone && (!failing_ || lost_);
    if (!failing_) {
      RC_ASSERT(written.ok() == applies);
      if (step.parts.empty()) RC_ASSERT(written.status().code() == StatusCode::kInvalidArgument);
    }
    if (!applies) return;
    Version version = failing_ ? kNew : written->version;
    if (failing_) {
      for (const std::string& name : put) version = store_.find(name)->version;
    }
    for (const std::string& name : put) after[name].version = version;
    for (const auto& [name, item] : model_) RC_ASSERT(version == kNew || item.version < version);
    model_ = std::move(after);
  }

  void list(const Step& step) {
    const std::string after = step.parts.empty() ? "" : key(step.parts[0][1]);
    const auto limit = 1 + static_cast<std::int32_t>(step.parts.size());
    auto page = run(client_->list("k/", after, limit));
    if (failing_) return;
    RC_ASSERT(page.ok());
    auto item = model_.upper_bound(after);
    for (const KeyValue& found : page->items) {
      RC_ASSERT(item != model_.end());
      RC_ASSERT(found.key == item->first);
      RC_ASSERT(found.value.text() == item->second.value);
      ++item;
    }
    RC_ASSERT(page->more == (item != model_.end()));
    if (page->more) RC_ASSERT(page->items.size() == static_cast<std::size_t>(limit));
  }

  void session(const Step& step) {
    if (session_ == 0 || !session_alive_) {
      auto created = run(client_->create_session(kTtl_ns));
      if (!created.ok()) return;
      session_ = created->session;
      session_alive_ = true;
      renewed_ns_ = kernel_.now();
      return;
    }
    const TimeNs before_ns = kernel_.now();
    if (step.parts.size() % 2 == 0) {
      auto kept = run(client_->keep_alive(session_));
      if (!failing_) RC_ASSERT(kept.ok());
      if (!failing_ || lost_) renewed_ns_ = before_ns;
    } else {
      auto closed = run(client_->close_session(session_));
      if (!failing_ || lost_) end_session();
    }
  }
  void expire() {
    if (session_alive_ && kernel_.now() >= renewed_ns_ + kTtl_ns) end_session();
  }
  void end_session() {
    session_alive_ = false;
    std::erase_if(model_, [this](const auto& item) { return item.second.owner == session_; });
  }
  void check() {
    const auto items = store_.items("");
    RC_ASSERT(items.size() == model_.size());
    auto expected = model_.begin();
    for (const KeyValue& item : items) {
      RC_ASSERT(item.key == expected->first);
      RC_ASSERT((ModelItem{std::string(item.value.text()), item.version, item.owner} == expected->second));
      ++expected;
    }
    RC_ASSERT(!kernel_.finding());
  }

  static constexpr Version kNew = -7;
  static constexpr DurationNs kTtl_ns = 5 * kSecond_ns;
  Kernel kernel_;
  Links links_;
  FaultRules rules_;
  Calls calls_;
  MetadataStore store_;
  Process& process_;
  std::unique_ptr<MetadataClient> client_;
  Model model_;
  int values_ = 0;
  bool failing_ = false;
  bool lost_ = false;
  SessionId session_ = 0;
  bool session_alive_ = false;
  TimeNs renewed_ns_ = 0;
};

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(
      rc::gen::set(&Step::what, rc::gen::element<std::uint8_t>(0, 1, 1, 1, 2, 3, 4)),
      rc::gen::set(&Step::fault, rc::gen::element<std::uint8_t>(0, 1, 2, 9, 9, 9, 9)),
      rc::gen::set(&Step::parts,
                   rc::gen::resize(4, rc::gen::arbitrary<std::vector<std::array<std::uint8_t, 3>>>())));
}

TEST_CASE("the metadata store behaves like a map with versions, whatever calls lose") {
  CHECK(rc::check([] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto steps = *rc::gen::container<std::vector<Step>>(any_step());
    std::uint64_t hashes[2];
    for (std::uint64_t& hash : hashes) {
      Run run(seed);
      for (const Step& step : steps) run.step(step);
      hash = run.hash();
    }
    RC_ASSERT(hashes[0] == hashes[1]);
  }));
}

}  // namespace
}  // namespace wt::metadata
