// The table of keys against a std::map: found by hash, listed in order, whenever the lists come.
#include "sim/metadata/key_table.h"

#include <map>
#include <string>

#include <catch2/catch.hpp>

#include "sim/kernel/hash.h"

namespace wt::metadata {
namespace {

using Model = std::map<std::string, Version>;

void check_order(const KeyTable& table, const Model& model, const std::string& at) {
  auto from = table.from(at);
  for (auto expected = model.lower_bound(at); expected != model.end(); ++expected, ++from) {
    REQUIRE(from != table.end());
    REQUIRE(from->first == expected->first);
    REQUIRE(from->second->version == expected->second);
  }
  REQUIRE(from == table.end());
  const auto after = table.after(at);
  const auto expected = model.upper_bound(at);
  REQUIRE((after == table.end()) == (expected == model.end()));
  if (expected != model.end()) REQUIRE(after->first == expected->first);
}

TEST_CASE("a key table is a map that orders its keys when somebody lists", "[metadata]") {
  // Lists seldom, often and never between the changes: keys are erased before and after they were ordered.
  const std::uint64_t list_every = GENERATE(1, 7, 1000);
  KeyTable table;
  Model model;
  std::uint64_t draw = list_every;
  for (std::uint64_t step = 1; step <= 4000; ++step) {
    draw = mix64(draw + step);
    const std::string key = "k/" + std::to_string(draw % 60);
    KeyTable::Item* item = table.find(key);
    REQUIRE((item != nullptr) == model.contains(key));
    if (item == nullptr) {
      table.create(key).version = static_cast<Version>(step);
      model[key] = static_cast<Version>(step);
    } else if ((draw >> 32) % 3 == 0) {
      item->version = model[key] = static_cast<Version>(step);
    } else {
      table.erase(*item);
      model.erase(key);
    }
    REQUIRE(table.size() == model.size());
    if (step % list_every == 0) check_order(table, model, "k/" + std::to_string((draw >> 16) % 60));
  }
  check_order(table, model, "");
}

TEST_CASE("an item of a key table stays in place", "[metadata]") {
  KeyTable table;
  KeyTable::Item& first = table.create("first");
  for (int i = 0; i < 1000; ++i) table.create("key " + std::to_string(i));
  REQUIRE(table.find("first") == &first);
  REQUIRE(table.from("first")->second == &first);
  REQUIRE(first.key == "first");
  REQUIRE_THROWS(table.create("first"));
}

}  // namespace
}  // namespace wt::metadata
