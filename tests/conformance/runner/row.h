// Conformance rows: their files, and how to pick and keep them. docs: tests/conformance/README.md.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/conformance/runner/json_text.h"

namespace wt::conformance {

// What a row needs: how many brokers, and settings of server.properties beyond the defaults.
struct ClusterSpec {
  int brokers = 3;
  std::vector<std::string> settings;         // key=value
  std::map<std::string, std::string> users;  // passwords; with any, clients must log in (SASL_PLAINTEXT)
  friend bool operator==(const ClusterSpec&, const ClusterSpec&) = default;
  bool is_default() const { return *this == ClusterSpec{}; }
  std::string text() const;
};

struct Row {
  std::string name;
  std::string file;
  json::object source;  // as in the file; "steps" is an array of objects
  json::array& steps() { return source["steps"].as_array(); }
  const json::array& steps() const { return source.at("steps").as_array(); }
  ClusterSpec cluster;
};

// All rows of a folder's *.json files, in the order of file names and of the files.
absl::StatusOr<std::vector<Row>> load_rows(const std::string& folder);
// Writes the rows of one file back.
absl::Status save_rows(const std::string& file, const std::vector<Row>& rows);

}  // namespace wt::conformance
