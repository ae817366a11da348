// The `wavetank` program: parses its arguments and runs one command.
#include <cstdio>

#include "harness/cli/commands.h"

int main(int argc, char** argv) {
  using wt::harness::cli::Arguments;
  const Arguments arguments = wt::harness::cli::parse_arguments({argv + 1, argv + argc});
  switch (arguments.command) {
    case Arguments::Command::serve:
      return wt::harness::cli::serve(arguments.serve);
    case Arguments::Command::replay:
      return wt::harness::cli::replay(arguments.replay);
    case Arguments::Command::demo:
      return wt::harness::cli::demo(arguments.demo);
    case Arguments::Command::inspect:
      return wt::harness::cli::inspect(arguments.inspect);
    case Arguments::Command::version:
      return wt::harness::cli::version();
    case Arguments::Command::none:
      break;
  }
  std::fputs(arguments.out.c_str(), stdout);
  std::fputs(arguments.error.c_str(), stderr);
  return arguments.exit_code;
}
