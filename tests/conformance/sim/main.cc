// Runs every conformance row inside the simulation, each in a cluster of its own.
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/conformance/runner/differences.h"
#include "tests/conformance/runner/run_row.h"
#include "tests/conformance/sim/sim_target.h"

using namespace wt::conformance;

int main(int argc, char** argv) {
  const std::string filter = argc > 1 ? argv[1] : "";
  auto rows = load_rows(WT_SOURCE_DIR "/tests/conformance/kafka/rows");
  auto meant = MeantDifferences::read(WT_SOURCE_DIR "/docs/differences.md");
  if (!rows.ok() || !meant.ok()) {
    std::fprintf(stderr, "cannot read the rows or docs/differences.md\n");
    return 2;
  }
  int equal = 0, explained = 0, differ = 0, not_comparable = 0;
  for (Row& row : *rows) {
    if (!filter.empty() && row.name.find(filter) == std::string::npos &&
        row.file.find(filter) == std::string::npos) {
      continue;
    }
    auto target = SimTarget::start(row.cluster, 1);
    if (!target.ok()) {
      std::printf("%-52s not comparable (%s)\n", row.name.c_str(),
                  std::string(target.status().message()).c_str());
      ++not_comparable;
      continue;
    }
    const RowResult result = run_row(row, **target, RunOptions{});
    if (result.outcome == Outcome::kNotComparable) {
      std::printf("%-52s not comparable (%s)\n", row.name.c_str(), result.reason.c_str());
      ++not_comparable;
      continue;
    }
    bool unexplained = false;
    for (const StepDifference& found : result.differences) {
      const MeantDifference* why = meant->explain(row.name, found.path());
      unexplained = unexplained || why == nullptr;
      if (why != nullptr) continue;
      std::printf("%-52s differs\n    %s\n    expected %.400s\n    got      %.400s\n", row.name.c_str(),
                  found.path().c_str(), found.difference.expected.c_str(), found.difference.got.c_str());
    }
    if (const auto& finding = (*target)->cluster().kernel().finding()) {
      unexplained = true;
      std::printf("%-52s FINDING %s: %s\n%s", row.name.c_str(), finding->check.c_str(),
                  finding->message.c_str(), finding->last_events.c_str());
    }
    ++(unexplained ? differ : result.differences.empty() ? equal : explained);
  }
  std::printf("%d equal, %d differ as explained, %d not comparable, %d differ\n", equal, explained,
              not_comparable, differ);
  return differ > 0 ? 1 : 0;
}
