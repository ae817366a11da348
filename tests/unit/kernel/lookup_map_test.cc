#include <catch2/catch.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "sim/kernel/lookup_map.h"

using namespace wt;

namespace {

// Adds a key when it is destroyed with something in it, as the end of a connection sends a last message.
class Echo {
 public:
  Echo() = default;
  explicit Echo(LookupMap<int, Echo>* map) : map_(map) {}
  Echo(Echo&& other) noexcept : map_(std::exchange(other.map_, nullptr)) {}
  Echo& operator=(Echo&& other) noexcept {
    std::swap(map_, other.map_);
    return *this;
  }
  ~Echo() {
    if (map_ == nullptr) return;
    for (int key = 100; key < 200; ++key) map_->add(key);
  }

 private:
  LookupMap<int, Echo>* map_ = nullptr;
};

}  // namespace

TEST_CASE("a value that is taken out of a lookup map is destroyed when the map is whole") {
  LookupMap<int, Echo> map;
  map.add(1) = Echo(&map);
  {
    const Echo taken = map.take(1);
    CHECK(map.empty());
  }
  CHECK(map.size() == 100);
  CHECK(map.find(1) == nullptr);
  CHECK(map.find(150) != nullptr);
}

TEST_CASE("a lookup map keeps the first value of a key") {
  LookupMap<std::string, int> map;
  CHECK(map.insert("a", 1));
  CHECK_FALSE(map.insert("a", 2));
  map.add("b") = 3;
  CHECK(*map.find(std::string_view("a")) == 1);
  CHECK(map.take(std::string_view("b")) == 3);
  CHECK_FALSE(map.erase(std::string_view("b")));
  CHECK(map.erase(std::string_view("a")));
  CHECK(map.empty());
}
