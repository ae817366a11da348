#include "sim/kernel/finding.h"

namespace wt {

void throw_violation(std::string_view check, std::string message) {
  throw InvariantViolation{std::string(check), std::move(message)};
}

}  // namespace wt
