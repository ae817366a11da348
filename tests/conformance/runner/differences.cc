#include "tests/conformance/runner/differences.h"

#include <fstream>

#include "absl/strings/str_cat.h"

namespace wt::conformance {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// `name` → name; nothing for other cells.
std::string_view quoted(std::string_view cell) {
  if (cell.size() < 3 || cell.front() != '`' || cell.back() != '`') return {};
  return cell.substr(1, cell.size() - 2);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> out;
  if (line.empty() || line.front() != '|') return out;
  line.remove_prefix(1);
  for (std::size_t bar = line.find('|'); bar != std::string_view::npos; bar = line.find('|')) {
    out.push_back(trimmed(line.substr(0, bar)));
    line.remove_prefix(bar + 1);
  }
  return out;
}

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t skip = star; skip <= text.size(); ++skip) {
    if (matches_pattern(rest, text.substr(skip))) return true;
  }
  return false;
}

absl::StatusOr<MeantDifferences> MeantDifferences::read(const std::string& file) {
  std::ifstream in(file);
  if (!in) return absl::NotFoundError(absl::StrCat("cannot read ", file));
  std::vector<MeantDifference> list;
  std::string line;
  while (std::getline(in, line)) {
    const std::vector<std::string_view> cells = cells_of(line);
    if (cells.size() != 3 || quoted(cells[0]).empty() || quoted(cells[1]).empty()) continue;
    if (cells[2].empty()) return absl::InvalidArgumentError(absl::StrCat(file, ": no reason: ", line));
    list.push_back({std::string(quoted(cells[0])), std::string(quoted(cells[1])), std::string(cells[2])});
  }
  return MeantDifferences(std::move(list));
}

const MeantDifference* MeantDifferences::explain(std::string_view row, std::string_view field) const {
  for (const MeantDifference& meant : list_) {
    if (matches_pattern(meant.row, row) && matches_pattern(meant.field, field)) return &meant;
  }
  return nullptr;
}

}  // namespace wt::conformance
