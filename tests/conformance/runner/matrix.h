// The situations that rows refer to, and whether each of them has a row: tests/conformance/kafka/matrix.json.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/conformance/runner/row.h"

namespace wt::conformance {

struct MatrixEntry {
  std::string what;
  std::string no_row;  // why no row shows it; empty: one does
};

class Matrix {
 public:
  static absl::StatusOr<Matrix> read(const std::string& file);
  explicit Matrix(std::map<std::string, MatrixEntry> entries) : entries_(std::move(entries)) {}

  // A sentence for each entry with neither a row nor a reason, with both, and for each reference to an entry
  // that is not there. Only letters of which there are entries count: "A5" is none of ours while there is no
  // A.
  std::vector<std::string> problems(const std::vector<Row>& rows) const;
  const std::map<std::string, MatrixEntry>& entries() const { return entries_; }

 private:
  std::map<std::string, MatrixEntry> entries_;
};

}  // namespace wt::conformance
