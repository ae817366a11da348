// Running one row against a target.
#pragma once

#include <string>
#include <vector>

#include "tests/conformance/runner/compare.h"
#include "tests/conformance/runner/row.h"
#include "tests/conformance/runner/target.h"

namespace wt::conformance {

enum class Outcome : std::uint8_t {
  kEqual,
  kDiffers,
  kNotComparable,  // nothing was said about the product: no expectation, or the target cannot do what is
                   // needed
};

struct StepDifference {
  std::size_t step = 0;  // from 0
  Difference difference;
  // "[3].responses[0].errorCode", as docs/differences.md names it.
  std::string path() const;
};

struct RowResult {
  Outcome outcome = Outcome::kEqual;
  std::string reason;  // of kNotComparable
  std::vector<StepDifference> differences;
};

struct RunOptions {
  // Seven characters for ${run}.
  std::string run = "r000000";
  // Replace the row's expectations by what the target answers.
  bool record = false;
};

// A difference does not end the row; a step that cannot be carried out does. With options.record the row
// changes.
RowResult run_row(Row& row, Target& target, const RunOptions& options);

// Whether every request of the row can be built; needs no target.
absl::Status check_row(const Row& row);

}  // namespace wt::conformance
