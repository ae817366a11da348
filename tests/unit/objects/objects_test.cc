#include <catch2/catch.hpp>

#include "sim/formats/crc32c.h"
#include "sim/kernel/status.h"
#include "sim/objects/client.h"
#include "sim/objects/store.h"

namespace wt::objects {
namespace {

struct World {
  World()
      : kernel(KernelOptions()),
        links(kernel, {}),
        rules(kernel),
        calls(kernel, links, rules),
        process(&kernel.create_process("client")) {
    CallOptions base;
    base.from = links.add_node("client");
    base.to = links.add_node("objects");
    base.timeout_ns = kSecond_ns;
    calls.serve(base.to, store);
    client = std::make_unique<ObjectClient>(*process, calls, base);
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
  Kernel kernel;
  Links links;
  FaultRules rules;
  Calls calls;
  ObjectStore store;
  Process* process;
  std::unique_ptr<ObjectClient> client;
};

SliceList pieces(std::initializer_list<std::string_view> texts) {
  SliceList list;
  for (const std::string_view text : texts) list.push_back(Slice::copy_of(text));
  return list;
}

std::string text_of(const SliceList& list) {
  return std::string(flatten(list).text());
}

TEST_CASE("an object is created once; the same bytes again are fine, others are refused") {
  World w;
  auto first = w.run(w.client->put("k", pieces({"hello ", "world"}), 7));
  REQUIRE(first.ok());
  CHECK(first->created);
  auto again = w.run(w.client->put("k", pieces({"hel", "lo world", ""}), 7));
  REQUIRE(again.ok());
  CHECK(!again->created);
  for (const auto& other : {pieces({"hello World"}), pieces({"hello worl"}), pieces({"hello world!"})})
    CHECK(w.run(w.client->put("k", other, 7)).status().code() == StatusCode::kAlreadyExists);
  CHECK(w.run(w.client->put("k", pieces({"hello world"}), 8)).status().code() == StatusCode::kAlreadyExists);
  CHECK(text_of(w.run(w.client->get("k"))->bytes) == "hello world");
  CHECK(w.store.total_bytes() == 11);
  CHECK(w.run(w.client->erase("k"))->existed);
  CHECK(!w.run(w.client->erase("k"))->existed);
  CHECK(w.store.total_bytes() == 0);
  CHECK(w.run(w.client->get("k")).status().code() == StatusCode::kNotFound);
}

TEST_CASE("every range of an object, without copying") {
  World w;
  SliceList bytes = pieces({"abc", "", "defg", "h"});
  const std::uint8_t* second = bytes[2].data();
  REQUIRE(w.run(w.client->put("k", bytes, 1)).ok());
  const std::string whole = "abcdefgh";
  for (std::size_t from = 0; from <= whole.size(); ++from) {
    for (std::size_t size = 0; from + size <= whole.size(); ++size) {
      auto got = w.run(w.client->get("k", from, size));
      REQUIRE(got.ok());
      CHECK(text_of(got->bytes) == whole.substr(from, size));
    }
  }
  CHECK(text_of(w.run(w.client->get("k", 5))->bytes) == "fgh");
  CHECK(w.run(w.client->get("k", 3, 2))->bytes.at(0).data() == second);
  CHECK(w.run(w.client->get("k", 9)).status().code() == StatusCode::kOutOfRange);
  CHECK(w.run(w.client->get("k", 8, 1)).status().code() == StatusCode::kOutOfRange);
  CHECK(w.run(w.client->get("k", 1, kToEnd - 1)).status().code() == StatusCode::kOutOfRange);
}

TEST_CASE("head and lists tell length and checksum") {
  World w;
  for (const char* key : {"a/2", "a/1", "b", "a"}) REQUIRE(w.run(w.client->put(key, pieces({key}), 5)).ok());
  auto head = w.run(w.client->head("a/1"));
  REQUIRE(head.ok());
  CHECK(head->info.size_bytes == 3);
  CHECK(head->info.checksum == 5);
  CHECK(w.run(w.client->head("c")).status().code() == StatusCode::kNotFound);
  auto page = w.run(w.client->list("a", "", 2));
  REQUIRE(page->items.size() == 2);
  CHECK(page->items[1].key == "a/1");
  CHECK(page->more);
  page = w.run(w.client->list("a", "a/1", 2));
  REQUIRE(page->items.size() == 1);
  CHECK(page->items[0].key == "a/2");
  CHECK(!page->more);
}

TEST_CASE("faults: refused, lost request, lost answer") {
  World w;
  const auto fault = [&w](const char* point, FaultAction action) {
    FaultRule rule;
    rule.point = point;
    rule.action = action;
    rule.count = 1;
    REQUIRE(w.rules.add(rule).ok());
  };
  fault("objects.put", FaultAction::refuse);
  CHECK(w.run(w.client->put("k", pieces({"a"}), 1)).status().code() == StatusCode::kUnavailable);
  CHECK(w.store.size() == 0);
  fault("objects.put", FaultAction::lose_request);
  CHECK(w.run(w.client->put("k", pieces({"a"}), 1)).status().code() == StatusCode::kDeadlineExceeded);
  CHECK(w.store.size() == 0);
  fault("objects.put", FaultAction::lose_answer);
  CHECK(w.run(w.client->put("k", pieces({"a"}), 1)).status().code() == StatusCode::kDeadlineExceeded);
  CHECK(w.store.size() == 1);
  for (const char* point : {"objects.get", "objects.head", "objects.delete", "objects.list"}) {
    fault(point, FaultAction::refuse);
  }
  CHECK(w.run(w.client->get("k")).status().code() == StatusCode::kUnavailable);
  CHECK(w.run(w.client->head("k")).status().code() == StatusCode::kUnavailable);
  CHECK(w.run(w.client->erase("k")).status().code() == StatusCode::kUnavailable);
  CHECK(w.run(w.client->list("k", "", 1)).status().code() == StatusCode::kUnavailable);
  CHECK(w.store.size() == 1);
}

}  // namespace
}  // namespace wt::objects
