// docs/differences.md: where Wavetank means to differ from a real broker, and why.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace wt::conformance {

// Row and field as patterns in which * stands for any text.
struct MeantDifference {
  std::string row;
  std::string field;
  std::string reason;
};

class MeantDifferences {
 public:
  // Reads the tables whose lines are "| `row` | `field` | reason |".
  static absl::StatusOr<MeantDifferences> read(const std::string& file);
  explicit MeantDifferences(std::vector<MeantDifference> list = {}) : list_(std::move(list)) {}

  // Null when the difference is not meant.
  const MeantDifference* explain(std::string_view row, std::string_view field) const;
  const std::vector<MeantDifference>& list() const { return list_; }

 private:
  std::vector<MeantDifference> list_;
};

bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace wt::conformance
