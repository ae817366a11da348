// The commands of the program. Each returns the program's exit code; results go to standard output, logs
// to standard error.
#pragma once

#include "harness/cli/arguments.h"

namespace wt::harness::cli {

int serve(const ServeArguments& arguments);
int replay(const ReplayArguments& arguments);
int demo(const DemoArguments& arguments);
int inspect(const InspectArguments& arguments);
int version();

// Until SIGTERM or SIGINT comes; then stops the session. False when there was a finding, whose report is
// printed. Signals must have been blocked by block_signals() before any thread was started.
void block_signals();
bool wait_for_end(Session& session);

// The first line that `serve` prints.
std::string ready_line(Session& session, const std::string& control_url);

}  // namespace wt::harness::cli
