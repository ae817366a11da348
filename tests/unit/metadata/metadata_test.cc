#include <catch2/catch.hpp>

#include "sim/kernel/status.h"
#include "sim/metadata/client.h"
#include "sim/metadata/store.h"

namespace wt::metadata {
namespace {

Slice bytes(std::string_view text) {
  return Slice::copy_of(text);
}

struct World {
  explicit World(const StoreLimits& limits = {})
      : kernel(KernelOptions()),
        links(kernel, {}),
        rules(kernel),
        calls(kernel, links, rules),
        store(kernel, limits),
        process(&kernel.create_process("client")) {
    CallOptions base;
    base.from = links.add_node("client");
    base.to = links.add_node("metadata");
    base.timeout_ns = kSecond_ns;
    calls.serve(base.to, store);
    client = std::make_unique<MetadataClient>(*process, calls, base);
  }
  template <class T>
  T run(Task<T> task) {
    std::optional<T> slot;
    process->spawn(into(std::move(task), &slot));
    kernel.run_until_condition([&] { return slot.has_value(); }, kernel.now() + kMinute_ns);
    REQUIRE(slot);
    return std::move(*slot);
  }
  template <class T>
  static Task<void> into(Task<T> task, std::optional<T>* slot) {
    T value = co_await task;
    slot->emplace(std::move(value));
  }
  void fault(std::string point, FaultAction action) {
    FaultRule rule;
    rule.point = std::move(point);
    rule.action = action;
    rule.count = 1;
    REQUIRE(rules.add(rule).ok());
  }

  Kernel kernel;
  Links links;
  FaultRules rules;
  Calls calls;
  MetadataStore store;
  Process* process;
  std::unique_ptr<MetadataClient> client;
};

StatusCode code_of(const Status& status) {
  return status.code();
}

TEST_CASE("create, replace and erase only from the expected version") {
  World w;
  auto created = w.run(w.client->put("k", bytes("1"), kAbsent));
  REQUIRE(created.ok());
  CHECK(code_of(w.run(w.client->put("k", bytes("2"), kAbsent)).status()) == StatusCode::kAborted);
  auto replaced = w.run(w.client->put("k", bytes("2"), created->version));
  REQUIRE(replaced.ok());
  CHECK(replaced->version > created->version);
  CHECK(code_of(w.run(w.client->erase("k", created->version)).status()) == StatusCode::kAborted);
  CHECK(w.run(w.client->get("k"))->value.text() == "2");
  CHECK(w.run(w.client->erase("k", replaced->version)).ok());
  CHECK(code_of(w.run(w.client->get("k")).status()) == StatusCode::kNotFound);
  auto again = w.run(w.client->put("k", bytes("3"), kAbsent));
  REQUIRE(again.ok());
  CHECK(again->version > replaced->version);
}

TEST_CASE("a batch is all or nothing") {
  World w;
  auto one = w.run(w.client->put("a", bytes("1"), kAbsent));
  Operations bad;
  bad.push_back(Operation::put("b", bytes("x"), kAbsent));
  bad.push_back(Operation::check("a", one->version + 1));
  CHECK(code_of(w.run(w.client->multi(bad)).status()) == StatusCode::kAborted);
  CHECK(w.store.size() == 1);
  Operations good;
  good.push_back(Operation::put("b", bytes("x"), kAbsent));
  good.push_back(Operation::check("a", one->version));
  good.push_back(Operation::erase("c", kAny));
  CHECK(w.run(w.client->multi(good)).ok());
  CHECK(w.store.size() == 2);
  CHECK(code_of(w.run(w.client->multi({})).status()) == StatusCode::kInvalidArgument);
}

TEST_CASE("lists are paged, in order, and end at the prefix") {
  World w;
  for (const char* key : {"b", "a/3", "a/1", "a/2", "a", "a0"})
    REQUIRE(w.run(w.client->put(key, bytes(key), kAbsent)).ok());
  auto first = w.run(w.client->list("a/", "", 2));
  REQUIRE(first.ok());
  REQUIRE(first->items.size() == 2);
  CHECK(first->items[0].key == "a/1");
  CHECK(first->items[1].key == "a/2");
  CHECK(first->more);
  auto second = w.run(w.client->list("a/", "a/2", 2));
  REQUIRE(second->items.size() == 1);
  CHECK(second->items[0].key == "a/3");
  CHECK(!second->more);
  CHECK(w.run(w.client->list("a/", "b", 2))->items.empty());
  CHECK(!w.run(w.client->list("a/", "", 0)).ok());
}

TEST_CASE("faults: refused, lost request, lost answer") {
  World w;
  w.fault("metadata.cas", FaultAction::refuse);
  CHECK(code_of(w.run(w.client->put("a", bytes("1"), kAbsent)).status()) == StatusCode::kUnavailable);
  CHECK(w.store.size() == 0);
  w.fault("metadata.cas", FaultAction::lose_request);
  CHECK(code_of(w.run(w.client->put("a", bytes("1"), kAbsent)).status()) == StatusCode::kDeadlineExceeded);
  CHECK(w.store.size() == 0);
  w.fault("metadata.cas", FaultAction::lose_answer);
  CHECK(code_of(w.run(w.client->put("a", bytes("1"), kAbsent)).status()) == StatusCode::kDeadlineExceeded);
  CHECK(w.store.size() == 1);
  w.fault("metadata.get", FaultAction::refuse);
  CHECK(code_of(w.run(w.client->get("a")).status()) == StatusCode::kUnavailable);
  w.fault("metadata.list", FaultAction::refuse);
  CHECK(code_of(w.run(w.client->list("a", "", 1)).status()) == StatusCode::kUnavailable);
  w.fault("metadata.session", FaultAction::refuse);
  CHECK(code_of(w.run(w.client->create_session(kSecond_ns)).status()) == StatusCode::kUnavailable);
}

TEST_CASE("ephemeral keys go with their session") {
  World w;
  const SessionId session = w.run(w.client->create_session(10 * kSecond_ns))->session;
  REQUIRE(w.run(w.client->put("mine", bytes("x"), kAbsent, session)).ok());
  REQUIRE(w.run(w.client->put("stays", bytes("x"), kAbsent)).ok());
  w.kernel.run_until(w.kernel.now() + 9 * kSecond_ns);
  CHECK(w.run(w.client->keep_alive(session)).ok());
  w.kernel.run_until(w.kernel.now() + 9 * kSecond_ns);
  CHECK(w.store.find("mine"));
  w.kernel.run_until(w.kernel.now() + 2 * kSecond_ns);
  CHECK(!w.store.find("mine"));
  CHECK(w.store.find("stays"));
  CHECK(code_of(w.run(w.client->keep_alive(session)).status()) == StatusCode::kNotFound);
  CHECK(code_of(w.run(w.client->put("mine", bytes("x"), kAbsent, session)).status()) ==
        StatusCode::kNotFound);

  const SessionId other = w.run(w.client->create_session(10 * kSecond_ns))->session;
  REQUIRE(w.run(w.client->put("other", bytes("x"), kAbsent, other)).ok());
  // A key that is put again without an owner stays.
  REQUIRE(w.run(w.client->put("kept", bytes("x"), kAbsent, other)).ok());
  REQUIRE(w.run(w.client->put("kept", bytes("y"), kAny)).ok());
  CHECK(w.run(w.client->close_session(other)).ok());
  CHECK(!w.store.find("other"));
  CHECK(w.store.find("kept"));
  CHECK(w.kernel.next_due() == kNever_ns);
}

TEST_CASE("a watch tells what changed, merged, to a living process") {
  StoreLimits limits;
  limits.watch_delay_ns = kMillisecond_ns;
  limits.max_notice_keys = 3;
  World w(limits);
  std::vector<std::vector<std::string>> notices;
  auto sink = std::make_shared<WatchCallback>(
      [&notices](std::uint64_t, const std::vector<std::string>& keys) { notices.push_back(keys); });
  const std::uint64_t watch = w.run(w.client->watch("a/", sink))->watch;
  for (const char* key : {"a/2", "b", "a/1"}) REQUIRE(w.run(w.client->put(key, bytes(""), kAbsent)).ok());
  CHECK(notices.empty());
  w.kernel.run_until(w.kernel.now() + kSecond_ns);
  REQUIRE(notices.size() == 1);
  CHECK(notices[0] == std::vector<std::string>{"a/1", "a/2"});
  for (const char* key : {"a/3", "a/4", "a/5", "a/6"})
    REQUIRE(w.run(w.client->put(key, bytes(""), kAbsent)).ok());
  w.kernel.run_until(w.kernel.now() + kSecond_ns);
  REQUIRE(notices.size() == 2);
  CHECK(notices[1].empty());  // too many to name
  CHECK(w.run(w.client->unwatch(watch)).ok());
  REQUIRE(w.run(w.client->erase("a/3", kAny)).ok());
  w.kernel.run_until(w.kernel.now() + kSecond_ns);
  CHECK(notices.size() == 2);

  REQUIRE(w.run(w.client->watch("a/", sink)).ok());
  w.store.overwrite("a/9", bytes(""));
  w.kernel.kill(w.process->id());
  w.kernel.run_until(w.kernel.now() + kSecond_ns);
  CHECK(notices.size() == 2);
}

TEST_CASE("requests beyond the limits are refused") {
  StoreLimits limits;
  limits.max_key_bytes = 4;
  limits.max_value_bytes = 4;
  limits.max_sessions = 1;
  limits.max_watches = 1;
  World w(limits);
  CHECK(code_of(w.run(w.client->put("12345", bytes(""), kAbsent)).status()) == StatusCode::kInvalidArgument);
  CHECK(code_of(w.run(w.client->put("", bytes(""), kAbsent)).status()) == StatusCode::kInvalidArgument);
  CHECK(code_of(w.run(w.client->put("1", bytes("12345"), kAbsent)).status()) == StatusCode::kInvalidArgument);
  CHECK(w.run(w.client->create_session(kSecond_ns)).ok());
  CHECK(code_of(w.run(w.client->create_session(kSecond_ns)).status()) == StatusCode::kResourceExhausted);
  auto sink = std::make_shared<WatchCallback>([](std::uint64_t, const std::vector<std::string>&) {});
  CHECK(w.run(w.client->watch("a", sink)).ok());
  CHECK(code_of(w.run(w.client->watch("a", sink)).status()) == StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace wt::metadata
