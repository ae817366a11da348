#include "tests/conformance/runner/real_cluster.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"

extern char** environ;

namespace wt::conformance {

absl::StatusOr<std::string> run_program(const std::vector<std::string>& words) {
  if (words.empty()) return absl::InvalidArgumentError("no program");
  int ends[2];
  if (pipe(ends) != 0) return absl::InternalError("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string out;
  char piece[4096];
  for (ssize_t n = 0; failed == 0 && (n = read(ends[0], piece, sizeof piece)) > 0;) {
    out.append(piece, static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  int status = 0;
  if (failed != 0) return absl::InternalError(absl::StrCat("cannot run ", words[0]));
  if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return absl::InternalError(absl::StrCat(words[0], " failed"));
  }
  return out;
}

SocketTarget::Control control_by_command(std::vector<std::string> command) {
  return [command = std::move(command)](std::string_view action, int broker) {
    std::vector<std::string> words = command;
    words.emplace_back(action);
    words.push_back(std::to_string(broker));
    return run_program(words).status();
  };
}

absl::StatusOr<std::unique_ptr<RealCluster>> RealCluster::start(const std::string& starter,
                                                                const std::string& folder, int port,
                                                                const ClusterSpec& spec) {
  auto cluster = std::unique_ptr<RealCluster>(new RealCluster({starter, "--dir", folder}));
  std::vector<std::string> words = cluster->command_;
  for (const char* word : {"start", "--brokers"}) words.emplace_back(word);
  words.push_back(std::to_string(spec.brokers));
  words.emplace_back("--port");
  words.push_back(std::to_string(port));
  for (const auto& [name, password] : spec.users) {
    words.emplace_back("--user");
    words.push_back(absl::StrCat(name, "=", password));
  }
  words.insert(words.end(), spec.settings.begin(), spec.settings.end());
  absl::StatusOr<std::string> printed = run_program(words);
  if (!printed.ok()) return printed.status();
  while (!printed->empty() && printed->back() == '\n') printed->pop_back();
  absl::StatusOr<std::vector<Address>> addresses = parse_addresses(*printed);
  if (!addresses.ok()) return addresses.status();
  cluster->target_ =
      std::make_unique<SocketTarget>(*std::move(addresses), control_by_command(cluster->command_));
  return cluster;
}

RealCluster::~RealCluster() {
  target_.reset();
  std::vector<std::string> words = command_;
  words.emplace_back("end");
  static_cast<void>(run_program(words));
}

}  // namespace wt::conformance
