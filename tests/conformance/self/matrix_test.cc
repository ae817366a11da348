// The matrix finds what has neither a row nor a reason.
#include <catch2/catch.hpp>

#include "tests/conformance/runner/matrix.h"

namespace wt::conformance {
namespace {

Row row_with(const std::string& name, json::array refs) {
  Row row;
  row.name = name;
  row.source["refs"] = std::move(refs);
  return row;
}

TEST_CASE("every entry of the matrix has a row or a reason, and not both") {
  const Matrix matrix({{"J1", {"shown", ""}},
                       {"J2", {"forgotten", ""}},
                       {"J3", {"not possible", "why"}},
                       {"J4", {"is", "why"}}});
  const auto problems = matrix.problems({row_with("one", {"J1", "A5"}), row_with("two", {"J4", "J9"})});
  CHECK(problems == std::vector<std::string>{"two refers to J9, which is not in the matrix",
                                             "J2 has no row: forgotten",
                                             "J4 has a row, and the matrix says why it has none"});
}

TEST_CASE("a matrix with nothing wrong has no problems") {
  const Matrix matrix({{"J1", {"shown", ""}}, {"J2", {"not possible", "why"}}});
  CHECK(matrix.problems({row_with("one", {"J1"})}).empty());
}

}  // namespace
}  // namespace wt::conformance
