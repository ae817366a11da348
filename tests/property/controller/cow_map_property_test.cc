#include <rapidcheck.h>
#include <catch2/catch.hpp>
#include <map>

#include "sim/controller/cow_map.h"

using namespace wt::controller;

namespace {

template <class Map>
std::vector<std::pair<int, int>> entries(const Map& map) {
  std::vector<std::pair<int, int>> out;
  map.for_each([&out](int key, int value) { out.emplace_back(key, value); });
  return out;
}

}  // namespace

TEST_CASE("CowMap behaves as std::map, and its copies do not change", "[controller][property]") {
  const bool ok = rc::check("cow map", [] {
    const auto ops = *rc::gen::container<std::vector<std::tuple<int, int, int>>>(
        rc::gen::tuple(rc::gen::inRange(0, 10), rc::gen::inRange(0, 400), rc::gen::arbitrary<int>()));
    CowMap<int, int> map;
    std::map<int, int> model;
    for (int key = 0; key < 300; key += 2) {
      map.set(key, key);
      model[key] = key;
    }
    std::vector<std::pair<CowMap<int, int>, std::vector<std::pair<int, int>>>> snapshots;
    for (const auto& [op, key, value] : ops) {
      if (op == 0) {
        snapshots.emplace_back(map, entries(map));
      } else if (op < 5) {
        map.set(key, value);
        model[key] = value;
      } else if (op < 7) {
        int* found = map.change(key);
        RC_ASSERT((found != nullptr) == model.contains(key));
        if (found != nullptr) *found = model[key] = value;
      } else {
        // A run of keys, so that whole chunks go.
        for (int k = key; k < key + 70; ++k) RC_ASSERT(map.erase(k) == (model.erase(k) > 0));
      }
      RC_ASSERT(map.size() == model.size());
      const int* found = map.find(key);
      RC_ASSERT((found != nullptr) == model.contains(key));
    }
    const std::vector<std::pair<int, int>> expected_now(model.begin(), model.end());
    RC_ASSERT(entries(map) == expected_now);
    for (const auto& [snapshot, expected] : snapshots) RC_ASSERT(entries(snapshot) == expected);
  });
  CHECK(ok);
}
