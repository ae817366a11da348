#include "harness/journal/build_info.h"

#include <lz4.h>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include "absl/base/config.h"

namespace wt::harness {

std::string code_version() {
  return WT_VERSION;
}

std::string compiler_version() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string library_versions() {
  // Those of the libraries that can change the bytes that a run sends.
  return std::string("zstd ") + ZSTD_versionString() + ", lz4 " + LZ4_versionString() + ", zlib " +
         zlibVersion() + ", xxhash " + std::to_string(XXH_versionNumber()) + ", abseil " +
         std::to_string(ABSL_LTS_RELEASE_VERSION);
}

}  // namespace wt::harness
