// The object store against a map of strings, with calls that are refused, lose their request or answer.
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "sim/kernel/status.h"
#include "sim/objects/client.h"
#include "sim/objects/store.h"

namespace wt::objects {
namespace {

struct Step {
  std::uint8_t what;   // put, get, head, delete, list
  std::uint8_t fault;  // 0..2: refuse, lose_request, lose_answer; else none
  std::uint8_t key;
  std::vector<std::string> pieces;
  std::uint8_t from;
  std::uint8_t size;
};

class Run {
 public:
  Run()
      : kernel_(KernelOptions()),
        links_(kernel_, {}),
        rules_(kernel_),
        calls_(kernel_, links_, rules_),
        process_(kernel_.create_process("client")) {
    CallOptions base;
    base.from = links_.add_node("client");
    base.to = links_.add_node("objects");
    base.timeout_ns = kSecond_ns;
    calls_.serve(base.to, store_);
    client_ = std::make_unique<ObjectClient>(process_, calls_, base);
  }
  void step(const Step& step) {
    static constexpr FaultAction kActions[] = {FaultAction::refuse, FaultAction::lose_request,
                                               FaultAction::lose_answer};
    failing_ = step.fault < 3;
    effect_ = !failing_ || step.fault == 2;
    if (failing_) {
      FaultRule rule;
      rule.point = "objects.*";
      rule.action = kActions[step.fault];
      rule.count = 1;
      RC_ASSERT(rules_.add(rule).ok());
    }
    const std::string key = std::string("o/") + static_cast<char>('a' + step.key % 4);
    switch (step.what % 5) {
      case 0:
        put(step, key);
        break;
      case 1:
        get(step, key);
        break;
      case 2:
        head(key);
        break;
      case 3:
        erase(key);
        break;
      default:
        list(step, key);
        break;
    }
    rules_.remove_all();
    RC_ASSERT(store_.size() == model_.size());
    std::uint64_t total = 0;
    for (const auto& [name, text] : model_) total += text.size();
    RC_ASSERT(store_.total_bytes() == total);
  }
  std::uint64_t hash() { return kernel_.trace().hash() ^ store_.digest(); }

 private:
  template <class T>
  T run(Task<T> task) {
    std::optional<T> slot;
    process_.spawn(into(std::move(task), &slot));
    kernel_.run_until_condition([&] { return slot.has_value(); }, kernel_.now() + kMinute_ns);
    RC_ASSERT(slot.has_value());
    RC_ASSERT(slot->ok() != failing_ || !failing_);
    return std::move(*slot);
  }
  template <class T>
  static Task<void> into(Task<T> task, std::optional<T>* slot) {
    T value = co_await task;
    slot->emplace(std::move(value));
  }
  void put(const Step& step, const std::string& key) {
    std::string whole;
    SliceList bytes;
    for (const std::string& piece : step.pieces) {
      whole += piece;
      bytes.push_back(Slice::copy_of(piece));
    }
    auto answer = run(client_->put(key, bytes, 3));
    const auto found = model_.find(key);
    const bool fits = found == model_.end() || found->second == whole;
    if (!failing_) {
      RC_ASSERT(answer.ok() == fits);
      if (fits) RC_ASSERT(answer->created == (found == model_.end()));
      if (!fits) RC_ASSERT(answer.status().code() == StatusCode::kAlreadyExists);
    }
    if (effect_ && fits) model_[key] = whole;
  }
  void get(const Step& step, const std::string& key) {
    auto answer = run(client_->get(key, step.from, step.size));
    if (failing_) return;
    const auto found = model_.find(key);
    const bool inside = found != model_.end() && std::size_t{step.from} + step.size <= found->second.size();
    RC_ASSERT(answer.ok() == inside);
    if (inside)
      RC_ASSERT(std::string(flatten(answer->bytes).text()) == found->second.substr(step.from, step.size));
    if (found == model_.end()) RC_ASSERT(answer.status().code() == StatusCode::kNotFound);
  }
  void head(const std::string& key) {
    auto answer = run(client_->head(key));
    if (failing_) return;
    RC_ASSERT(answer.ok() == model_.contains(key));
    if (answer.ok()) RC_ASSERT(answer->info.size_bytes == model_.at(key).size());
  }
  void erase(const std::string& key) {
    auto answer = run(client_->erase(key));
    if (!failing_) RC_ASSERT(answer->existed == model_.contains(key));
    if (effect_) model_.erase(key);
  }
  void list(const Step& step, const std::string& after) {
    const std::int32_t limit = 1 + step.size % 3;
    auto answer = run(client_->list("o/", after, limit));
    if (failing_) return;
    auto item = model_.upper_bound(after);
    for (const ObjectInfo& info : answer->items) {
      RC_ASSERT(item != model_.end());
      RC_ASSERT(info.key == item->first);
      ++item;
    }
    RC_ASSERT(answer->more == (item != model_.end()));
  }

  Kernel kernel_;
  Links links_;
  FaultRules rules_;
  Calls calls_;
  ObjectStore store_;
  Process& process_;
  std::unique_ptr<ObjectClient> client_;
  std::map<std::string, std::string> model_;
  bool failing_ = false;
  bool effect_ = false;
};

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(
      rc::gen::set(&Step::what, rc::gen::element<std::uint8_t>(0, 0, 1, 1, 2, 3, 4)),
      rc::gen::set(&Step::fault, rc::gen::element<std::uint8_t>(0, 1, 2, 9, 9, 9, 9)),
      rc::gen::set(&Step::key, rc::gen::arbitrary<std::uint8_t>()),
      rc::gen::set(&Step::pieces,
                   rc::gen::resize(3, rc::gen::container<std::vector<std::string>>(
                                          rc::gen::element<std::string>("", "x", "yz", "abc")))),
      rc::gen::set(&Step::from, rc::gen::inRange<std::uint8_t>(0, 5)),
      rc::gen::set(&Step::size, rc::gen::inRange<std::uint8_t>(0, 7)));
}

TEST_CASE("the object store behaves like a map of immutable strings, whatever calls lose") {
  CHECK(rc::check([] {
    const auto steps = *rc::gen::container<std::vector<Step>>(any_step());
    std::uint64_t hashes[2];
    for (std::uint64_t& hash : hashes) {
      Run run;
      for (const Step& step : steps) run.step(step);
      hash = run.hash();
    }
    RC_ASSERT(hashes[0] == hashes[1]);
  }));
}

}  // namespace
}  // namespace wt::objects
