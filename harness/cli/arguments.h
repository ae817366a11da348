// The command line of the `wavetank` program, parsed into plain values. Does nothing but parse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/embed/session.h"

namespace wt::harness::cli {

struct TopicArgument {
  std::string name;
  std::int32_t partitions = -1;          // -1: the cluster's default
  std::int32_t replication_factor = -1;  // -1: the cluster's default
};

struct ServeArguments {
  SessionOptions session;
  std::uint16_t control_port = 0;
  std::vector<TopicArgument> topics;
  std::string ready_file;
};

struct ReplayArguments {
  std::string file;
  bool json = false;
};

struct DemoArguments {
  bool once = false;
};

struct InspectArguments {
  std::string file;
  std::uint64_t most = 0;  // entries; 0: all
};

struct Arguments {
  // `none`: exit at once with `exit_code`, after printing `out` and `error`.
  enum class Command : std::uint8_t { none, serve, replay, demo, inspect, version };
  Command command = Command::none;
  int exit_code = 0;
  std::string out;
  std::string error;
  ServeArguments serve;
  ReplayArguments replay;
  DemoArguments demo;
  InspectArguments inspect;
};

inline constexpr int kExitUsage = 2;       // a flag is wrong, or the options cannot be
inline constexpr int kExitDifference = 3;  // a replay came out differently
inline constexpr int kExitDamaged = 4;     // a recording is broken, partial or not there

// `arguments` without the program's name.
Arguments parse_arguments(std::vector<std::string> arguments);

// "name", "name:partitions" or "name:partitions:replication_factor".
StatusOr<TopicArgument> parse_topic(const std::string& text);

}  // namespace wt::harness::cli
