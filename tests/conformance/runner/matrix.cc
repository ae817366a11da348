#include "tests/conformance/runner/matrix.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "tests/conformance/runner/step_fields.h"

namespace wt::conformance {

absl::StatusOr<Matrix> Matrix::read(const std::string& file) {
  const absl::StatusOr<json::value> content = read_json_file(file);
  if (!content.ok()) return content.status();
  const json::value* list = find(*content, "entries");
  if (list == nullptr || !list->is_object())
    return absl::InvalidArgumentError(file + ": no object \"entries\"");
  std::map<std::string, MatrixEntry> entries;
  for (const auto& [id, value] : list->get_object()) {
    MatrixEntry entry;
    if (value.is_object()) {
      entry.what = text(value.get_object(), "what");
      entry.no_row = text(value.get_object(), "no_row");
    }
    if (id.empty() || entry.what.empty())
      return absl::InvalidArgumentError(absl::StrCat(file, ": ", absl_view(id), " says nothing"));
    entries.emplace(id, std::move(entry));
  }
  return Matrix(std::move(entries));
}

std::vector<std::string> Matrix::problems(const std::vector<Row>& rows) const {
  std::vector<std::string> found;
  std::set<char> letters;
  for (const auto& [id, entry] : entries_) letters.insert(id.front());
  std::set<std::string> shown;
  for (const Row& row : rows) {
    const json::value* refs = row.source.if_contains("refs");
    if (refs == nullptr || !refs->is_array()) continue;
    for (const json::value& ref : refs->get_array()) {
      const std::string id(ref.is_string() ? view(ref.get_string()) : "");
      if (id.empty() || !letters.contains(id.front())) continue;
      shown.insert(id);
      if (!entries_.contains(id))
        found.push_back(row.name + " refers to " + id + ", which is not in the matrix");
    }
  }
  for (const auto& [id, entry] : entries_) {
    if (entry.no_row.empty() && !shown.contains(id)) found.push_back(id + " has no row: " + entry.what);
    if (!entry.no_row.empty() && shown.contains(id))
      found.push_back(id + " has a row, and the matrix says why it has none");
  }
  return found;
}

}  // namespace wt::conformance
