// Expectations were printed by the Java classes themselves (OpenJDK 17, kafka-server-common 4.3.1).
#include "sim/kafka/groups/hash_order.h"

#include <catch2/catch.hpp>
#include <numeric>

namespace wt::kafka {
namespace {

std::string text(const HashOrder& order) {
  std::string out;
  for (const std::string& key : order.listed()) out += (out.empty() ? "" : " ") + key;
  CHECK(order.first() == (order.size() == 0 ? "" : order.listed().front()));
  return out;
}

// Forty members come, every third goes, every sixth comes back.
HashOrder after_some_traffic(HashOrder::Table table) {
  HashOrder order(table);
  for (int i = 0; i < 40; ++i) order.put("member-" + std::to_string(i));
  for (int i = 0; i < 40; i += 3) order.erase("member-" + std::to_string(i));
  for (int i = 0; i < 40; i += 6) order.put("member-" + std::to_string(i));
  return order;
}

std::string sorted(std::size_t most, std::vector<std::int32_t> partitions) {
  sort_as_concurrent_map("__consumer_offsets", most, partitions);
  std::string out;
  for (const std::int32_t number : partitions) out += std::to_string(number) + " ";
  return out;
}

std::vector<std::int32_t> first_partitions(std::size_t count) {
  std::vector<std::int32_t> partitions(count);
  std::iota(partitions.begin(), partitions.end(), 0);
  return partitions;
}

TEST_CASE("text is hashed as Java does it") {
  CHECK(java_hash("") == 0);
  CHECK(java_hash("ü") == 252);
  CHECK(java_hash("😀") == 1772899);
  CHECK(static_cast<std::int32_t>(java_hash("__consumer_offsets")) == -970371369);
}

TEST_CASE("a timeline table lists by the highest bits, the youngest of a slot first") {
  HashOrder order(HashOrder::Table::timeline);
  CHECK(text(order).empty());
  for (int i = 1; i <= 6; ++i) order.put("grp-" + std::to_string(i));
  CHECK(text(order) == "grp-2 grp-4 grp-1 grp-6 grp-3 grp-5");
  CHECK(text(after_some_traffic(HashOrder::Table::timeline)) ==
        "member-34 member-13 member-26 member-18 member-31 member-23 member-10 member-8 member-36 member-0 "
        "member-28 member-20 member-5 member-12 member-38 member-25 member-2 member-30 member-17 member-7 "
        "member-35 member-22 member-14 member-4 member-32 member-19 member-24 member-11 member-37 member-1 "
        "member-29 member-16 member-6");
}

TEST_CASE("keys of one slot of a timeline table") {
  HashOrder order(HashOrder::Table::timeline);
  for (const char* key : {"a", "b", "Aa", "BB", "C#"}) order.put(key);  // the last three hash alike
  CHECK(text(order) == "C# BB Aa b a");
  for (const char* key : {"Aa", "ü", "😀"}) order.put(key);
  CHECK(text(order) == "C# BB Aa b ü 😀 a");
  order.erase("BB");
  order.erase("nobody");
  CHECK(text(order) == "C# Aa b ü 😀 a");
  CHECK(order.size() == 6);
  order.clear();
  CHECK(text(order).empty());
}

TEST_CASE("a hash map lists by the lowest bits, the oldest of a slot first") {
  CHECK(text(after_some_traffic(HashOrder::Table::hash_map)) ==
        "member-19 member-18 member-17 member-16 member-38 member-5 member-37 member-14 member-6 member-36 "
        "member-13 member-35 member-4 member-34 member-12 member-11 member-10 member-32 member-7 member-31 "
        "member-8 member-30 member-29 member-28 member-26 member-25 member-24 member-23 member-22 member-20 "
        "member-1 member-2 member-0");
  HashOrder order(HashOrder::Table::hash_map);
  for (const char* key : {"AaAa", "BBBB", "AaBB", "BBAa", "ü", "😀", "x"}) order.put(key);
  CHECK(text(order) == "😀 x ü AaAa BBBB AaBB BBAa");
  for (int i = 0; i < 12; ++i) order.put("k" + std::to_string(i));
  CHECK(text(order) == "k0 k1 k2 k3 k4 k5 k11 k6 k10 k7 k8 k9 😀 x ü AaAa BBBB AaBB BBAa");
}

TEST_CASE("partitions in a concurrent map") {
  CHECK(sorted(11, first_partitions(11)) == "0 9 10 7 8 5 6 3 4 1 2 ");
  CHECK(sorted(12, first_partitions(12)) == "11 9 10 0 7 8 5 6 3 4 1 2 ");
  CHECK(sorted(50, first_partitions(50)) ==
        "13 46 9 42 21 17 30 26 5 38 1 34 16 45 12 41 24 20 49 0 29 25 8 37 4 33 15 48 11 44 23 19 32 28 7 "
        "40 3 "
        "36 47 14 43 10 22 18 31 27 39 6 35 2 ");
  std::vector<std::int32_t> thirds;
  for (std::int32_t number = 0; number < 50; number += 3) thirds.push_back(number);
  CHECK(sorted(17, thirds) == "15 48 45 12 9 42 24 21 18 0 30 27 39 6 3 36 33 ");
}

}  // namespace
}  // namespace wt::kafka
