// Every fault point that code under sim/ names must be known, else no rule could refer to it. Reads the
// sources: a label counts as a fault point when its statement makes a FaultSite, calls at(), or sets a
// `point`.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "sim/faults/rules.h"

using namespace wt;

namespace {

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string without_comments(const std::string& text) {
  static const std::regex comment("//[^\n]*");
  return std::regex_replace(text, comment, "");
}

// Names of the fault points in one source, by the statement around each label.
std::set<std::string> points_in(const std::string& source) {
  static const std::regex label("\"([a-z0-9_.]+)\"_label");
  static const std::regex use("FaultSite|\\bat\\(|\\bpoint\\s*=|\\bfault\\(");
  const std::string text = without_comments(source);
  std::set<std::string> points;
  for (std::sregex_iterator it(text.begin(), text.end(), label), end; it != end; ++it) {
    const auto position = static_cast<std::size_t>(it->position());
    const std::size_t start = text.find_last_of(";{}", position);
    const std::string before = text.substr(start == std::string::npos ? 0 : start, position - start);
    if (std::regex_search(before, use)) points.insert((*it)[1]);
  }
  return points;
}

}  // namespace

TEST_CASE("labels of fault points are told from others") {
  CHECK(points_in("co_await at(\"a.b\"_label); trace(\"c\"_label); x.point = \"d\"_label.info();") ==
        std::set<std::string>{"a.b", "d"});
  CHECK(points_in("// co_await at(\"a.b\"_label)\nFaultSite site(\n  \"e\"_label);") ==
        std::set<std::string>{"e"});
}

TEST_CASE("every fault point in the sources is known, and known once") {
  const auto& names = known_fault_points();
  const std::set<std::string_view> known(names.begin(), names.end());
  CHECK(known.size() == names.size());
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WT_SOURCE_DIR "/sim")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cc" && extension != ".h") continue;
    for (const std::string& point : points_in(read_text(entry.path()))) {
      INFO(point << " in " << entry.path().string());
      CHECK(known.contains(point));
      ++found;
    }
  }
  CHECK(found >= 20);  // else the reader of the sources does not see them any more
}
