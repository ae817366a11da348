// `wavetank version`
#include <cstdio>

#include "harness/cli/commands.h"
#include "harness/journal/build_info.h"

namespace wt::harness::cli {

int version() {
  std::printf("wavetank %s\n%s, %s\n", code_version().c_str(), compiler_version().c_str(),
              library_versions().c_str());
  return 0;
}

}  // namespace wt::harness::cli
