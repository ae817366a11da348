#include "tests/conformance/runner/compare.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tests/conformance/runner/variables.h"

namespace wt::conformance {

namespace {

constexpr std::string_view kSortKeys[] = {"nodeId",    "brokerId", "apiKey",   "name",
                                          "topic",     "topicId",  "index",    "partitionIndex",
                                          "partition", "groupId",  "topicName"};

json::string_view key_of(std::string_view name) {
  return {name.data(), name.size()};
}

// Numbers by value, texts by bytes; others stay where they are.
bool less(const json::value& a, const json::value& b) {
  for (const std::string_view key : kSortKeys) {
    const json::value* x = a.get_object().if_contains(key_of(key));
    const json::value* y = b.get_object().if_contains(key_of(key));
    if (x == nullptr || y == nullptr || *x == *y) continue;
    if (x->is_int64() && y->is_int64()) return x->get_int64() < y->get_int64();
    if (x->is_string() && y->is_string()) return x->get_string() < y->get_string();
    return x->is_null();
  }
  return false;
}

bool has_order(std::string_view field, std::string_view api) {
  return api == "Fetch" || field == "synonyms" || field == "records" || field == "recordErrors";
}

json::value ordered(const json::value& value, std::string_view field, std::string_view api) {
  if (value.is_object()) {
    json::object out;
    for (const auto& [key, inner] : value.get_object()) {
      out[key] = ordered(inner, {key.data(), key.size()}, api);
    }
    return json::value(std::move(out));
  }
  if (!value.is_array()) return value;
  json::array out;
  bool all_objects = true;
  for (const json::value& inner : value.get_array()) {
    out.push_back(ordered(inner, field, api));
    all_objects = all_objects && inner.is_object();
  }
  if (all_objects && !has_order(field, api)) std::stable_sort(out.begin(), out.end(), less);
  if (field == "entries" && api == "AlterClientQuotas") {
    // In the order of a hash table of entities, which a name with a run's id changes.
    std::stable_sort(out.begin(), out.end(), [](const json::value& a, const json::value& b) {
      return a.at("errorCode").as_int64() < b.at("errorCode").as_int64();
    });
  }
  if (field == "subscribedTopicNames") {
    std::stable_sort(out.begin(), out.end(), [](const json::value& a, const json::value& b) {
      return a.as_string() < b.as_string();
    });
  }
  const bool is_assigned = field == "partitions" && !all_objects && !out.empty() && out.front().is_int64();
  if (field == "isrNodes" || field == "offlineReplicas" || is_assigned) {
    std::stable_sort(out.begin(), out.end(),
                     [](const json::value& a, const json::value& b) { return a.as_int64() < b.as_int64(); });
  }
  return json::value(std::move(out));
}

// Members, and topics that go by their ids: random names give no order. Answers of Fetch keep theirs.
bool is_unordered(const json::value& value, const std::string& path) {
  if (!value.is_array() || value.get_array().empty() || path.ends_with("responses")) return false;
  const json::value& first = value.get_array().front();
  if (!first.is_object()) return false;
  const json::object& object = first.get_object();
  return object.contains("memberId") || (object.contains("topicId") && !object.contains("name"));
}

class Comparison {
 public:
  explicit Comparison(int broker_count) : broker_count_(broker_count) {}

  void check(const json::value& expected, const json::value& actual, const std::string& path) {
    if (expected.is_object() && actual.is_object()) {
      objects(expected.get_object(), actual.get_object(), path);
    } else if (is_unordered(expected, path) && is_unordered(actual, path)) {
      unordered(expected.get_array(), actual.get_array(), path);
    } else if (expected.is_array() && actual.is_array()) {
      arrays(expected.get_array(), actual.get_array(), path);
    } else if (!is_equal(expected, actual, path)) {
      differ(path, json::serialize(expected), json::serialize(actual));
    }
  }
  std::vector<Difference> take() { return std::move(differences_); }

 private:
  void differ(const std::string& path, std::string expected, std::string got) {
    if (differences_.size() >= kMostDifferences) return;
    differences_.push_back({path, std::move(expected), std::move(got)});
  }
  bool is_equal(const json::value& expected, const json::value& actual, const std::string& path) const {
    if (expected == actual) return true;
    if (!expected.is_string()) return false;
    const std::string_view wanted = view(expected.get_string());
    if (stands_for(wanted, actual)) return true;
    return actual.is_string() && is_message_field(path) &&
           without_long_numbers(wanted) == without_long_numbers(view(actual.get_string()));
  }
  void objects(const json::object& expected, const json::object& actual, const std::string& path) {
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const auto& [key, value] : expected) {
      if (key == "$partial") continue;
      const std::string inner = prefix + std::string(key);
      if (const json::value* other = actual.if_contains(key)) {
        check(value, *other, inner);
      } else {
        differ(inner, json::serialize(value), "(no such field)");
      }
    }
    if (expected.contains("$partial")) return;
    for (const auto& [key, value] : actual) {
      if (expected.contains(key)) continue;
      differ(prefix + std::string(key), "(no such field)", json::serialize(value));
    }
  }
  // Each expectation takes the first entry that it fits.
  void unordered(const json::array& expected, const json::array& actual, const std::string& path) {
    json::array left = actual;
    json::array unmet;
    for (const json::value& wanted : expected) {
      const auto found = std::find_if(left.begin(), left.end(), [&](const json::value& entry) {
        return compare(wanted, entry, broker_count_).empty();
      });
      if (found == left.end()) {
        unmet.push_back(wanted);
      } else {
        left.erase(found);
      }
    }
    arrays(unmet, left, path);
  }
  void arrays(const json::array& expected, const json::array& actual, const std::string& path) {
    const std::size_t common = std::min(expected.size(), actual.size());
    for (std::size_t i = 0; i < common; ++i) check(expected[i], actual[i], absl::StrCat(path, "[", i, "]"));
    for (std::size_t i = common; i < expected.size(); ++i) {
      differ(absl::StrCat(path, "[", i, "]"), json::serialize(expected[i]), "(end of list)");
    }
    for (std::size_t i = common; i < actual.size(); ++i) {
      differ(absl::StrCat(path, "[", i, "]"), "(end of list)", json::serialize(actual[i]));
    }
  }
  bool stands_for(std::string_view sign, const json::value& actual) const {
    if (sign == "$any") return true;
    if (sign == "$string" || sign == "$host") return actual.is_string() && !actual.get_string().empty();
    if (sign.ends_with("-$uuid")) return is_named_id(sign.substr(0, sign.size() - 5), actual);
    if (sign == "$uuid") return actual.is_string() && actual.get_string().size() == 22;
    if (!actual.is_int64()) return false;
    const std::int64_t number = actual.get_int64();
    if (sign == "$positive") return number > 0;
    if (sign == "$nonnegative") return number >= 0;
    if (sign == "$port") return number > 0 && number < 65536;
    if (sign == "$broker") return number >= 1 && number <= broker_count_;
    return sign == "$time" && number > 1'000'000'000'000;
  }

  static bool is_named_id(std::string_view prefix, const json::value& actual) {
    if (!actual.is_string() || actual.get_string().size() != prefix.size() + 36) return false;
    const std::string_view text = view(actual.get_string());
    return text.starts_with(prefix) && is_long_id_at_end(text);
  }

  int broker_count_;
  std::vector<Difference> differences_;
};

}  // namespace

json::value in_row_order(const json::value& answer, std::string_view api) {
  return ordered(answer, "", api);
}

std::vector<Difference> compare(const json::value& expected, const json::value& actual, int broker_count) {
  Comparison comparison(broker_count);
  comparison.check(expected, actual, "");
  return comparison.take();
}

}  // namespace wt::conformance
