// What a row knows by name while it runs, and the volatile values that its expectations leave open.
//
// Names:  ${run}   seven characters that differ from run to run, for names of topics and groups
//         ${t.id}  the id of topic t-${run}, once "create_topic" made it
//         whatever a step saved. A string that is only a name takes the value's type.
// Times:  T+5, T-5: milliseconds relative to the row's own time, which lies a minute before its start, so
//         that times of records cannot be confused with the broker's clock.
//         After "coordinator" also ${coordinator} and ${other}, a broker that is not it.
// Open:   $any, $positive, $nonnegative (numbers), $string (not empty), $uuid (not zero), $time (of the
//         broker's clock), $host, $port, $broker. "x-$uuid" is x- and a random id, as in names of members.
#pragma once

#include <map>
#include <set>
#include <string>

#include "absl/status/statusor.h"
#include "tests/conformance/runner/json_text.h"

namespace wt::conformance {

class Variables {
 public:
  Variables(std::string run, std::int64_t now_ms) : row_time_ms_(now_ms - 60'000) {
    values_["run"] = {json::value(std::move(run)), ""};
  }

  // `field`: where it was found; a number is only recognised in fields of that name.
  void set(const std::string& name, json::value value, std::string field);
  std::int64_t row_time_ms() const { return row_time_ms_; }

  // Fills in names and times.
  absl::StatusOr<json::value> fill_in(const json::value& value) const;

  // An answer as an expectation that holds in the next run too.
  // `saved`: where in the answer the values of names were found. There the expectation says what the
  // value looks like, everywhere else that it is the same.
  json::value generalise(const json::value& answer, const std::map<std::string, std::string>& saved = {});
  // Ids that the row itself wrote down are no surprises: they stay as they are.
  void keep_constants_of(const json::value& source);

 private:
  struct Value {
    json::value value;
    std::string field;
  };
  json::value generalise_field(std::string_view field, const json::value& value) const;
  json::value generalise_text(std::string_view field, std::string_view text) const;
  json::value generalise_number(std::string_view field, std::int64_t number) const;

  std::map<std::string, Value> values_;
  std::string hidden_;  // a name that generalise() does not use
  std::set<std::string> constants_;
  std::int64_t row_time_ms_;
};

// "x-8d1f…", with a random id as java.util.UUID writes it (36 characters).
bool is_long_id_at_end(std::string_view text);
// Long numbers inside messages (times, mostly) as "#": they differ between runs.
std::string without_long_numbers(std::string_view text);
inline bool is_message_field(std::string_view field) {
  return field.ends_with("essage");
}

}  // namespace wt::conformance
