// What a recording says about the program that made it.
#pragma once

#include <string>

namespace wt::harness {

std::string code_version();
std::string compiler_version();
std::string library_versions();

}  // namespace wt::harness
