// The program as a user's script sees it: its first line, its exit codes, its files.
#include <arpa/inet.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <absl/strings/str_cat.h>
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

#include "harness/cli/arguments.h"
#include "harness/cli/demo_client.h"
#include "harness/journal/reader.h"
#include "harness/journal/writer.h"
#include "sim/kernel/status.h"

using namespace wt;
using namespace wt::harness::cli;

namespace {

namespace json = boost::json;

const std::string kProgram = WT_BUILD_DIR "/bin/wavetank";

// A child process with its standard output.
class Child {
 public:
  explicit Child(std::vector<std::string> arguments, const std::string& errors = "/dev/null",
                 rlim_t most_file_bytes = RLIM_INFINITY) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    process_ = ::fork();
    REQUIRE(process_ >= 0);
    if (process_ == 0) {
      ::dup2(ends[1], 1);
      ::close(ends[0]);
      std::freopen(errors.c_str(), "w", stderr);
      const rlimit limit{most_file_bytes, most_file_bytes};
      if (most_file_bytes != RLIM_INFINITY) ::setrlimit(RLIMIT_FSIZE, &limit);
      std::vector<char*> argv{const_cast<char*>(kProgram.c_str())};
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      ::execv(kProgram.c_str(), argv.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    out_ = ::fdopen(ends[0], "r");
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (process_ > 0) ::kill(process_, SIGKILL);
    wait();
    std::fclose(out_);
  }
  std::string line() {
    std::string text;
    for (int c; (c = std::fgetc(out_)) != EOF && c != '\n';) text += static_cast<char>(c);
    return text;
  }
  std::string rest() {
    std::string text;
    for (int c; (c = std::fgetc(out_)) != EOF;) text += static_cast<char>(c);
    return text;
  }
  void signal(int number) { ::kill(process_, number); }
  int wait() {
    if (process_ <= 0) return code_;
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return code_;
  }

 private:
  pid_t process_ = 0;
  int code_ = -1;
  FILE* out_ = nullptr;
};

std::string scratch(const std::string& name) {
  return absl::StrCat(WT_BUILD_DIR "/unit_cli.", ::getpid(), ".", name);
}

std::string file_text(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Serves, produces three records, ends; gives the path of the recording.
std::string recorded_run(int signal) {
  std::string recording = scratch("wtj");
  const std::string ready = scratch("ready");
  Child serve({"serve", "--topic", "orders:2", "--record", recording, "--ready-file", ready, "--seed", "7"});
  const std::string line = serve.line();
  const json::value first = json::parse(line);
  CHECK(file_text(ready) == line + "\n");
  CHECK(first.at("seed").as_int64() == 7);
  CHECK(first.at("recording").as_string() == recording);
  CHECK(first.at("brokers").as_array().size() == 3);
  CHECK(first.at("brokers").at(0).at("id").as_int64() == 1);
  CHECK(std::string(first.at("control").as_string().c_str()).find("http://127.0.0.1:") == 0);
  DemoClient client(first.at("kafka").as_string().c_str(), "test");
  const auto produced = client.produce("orders", 1, {"a", "b", "c"});
  REQUIRE(produced.ok());
  CHECK(produced->base_offset == 0);
  serve.signal(signal);
  CHECK(serve.wait() == 0);
  std::remove(ready.c_str());
  return recording;
}

}  // namespace

TEST_CASE("serve tells its addresses in one line, ends on SIGTERM and SIGINT, and its recording replays") {
  const std::string recording = recorded_run(GENERATE(SIGTERM, SIGINT));
  Child replay({"replay", recording, "--json"});
  const json::value result = json::parse(replay.line());
  CHECK(replay.wait() == 0);
  CHECK(result.at("equal").as_bool());
  CHECK(result.at("events").as_int64() > 50);
  Child plain({"replay", recording});
  CHECK(plain.line() == result.at("hash").as_string());
  Child inspect({"inspect", recording});
  CHECK(inspect.rest().find(R"("do":"create_topic")") != std::string::npos);
  CHECK(inspect.wait() == 0);
  std::remove(recording.c_str());
}

// The recording without its last piece of bytes from a client.
void lose_an_input(const std::string& path) {
  StatusOr<harness::JournalReader> reader = harness::JournalReader::open_file(path);
  REQUIRE(reader.ok());
  std::vector<harness::Entry> entries;
  harness::Entry entry;
  std::size_t last_bytes = 0;
  while (reader->next(entry)) {
    if (entry.kind == harness::EntryKind::bytes) last_bytes = entries.size();
    entries.push_back(entry);
  }
  auto sink = harness::FileSink::create(path);
  REQUIRE(sink.ok());
  harness::JournalWriter writer(std::move(*sink), harness::kDefaultJournalLimit_bytes);
  writer.start(reader->head());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i != last_bytes) writer.append(entries[i]);
  }
  writer.flush();
}

TEST_CASE("a recording of which the replay differs is exit code 3") {
  const std::string recording = recorded_run(SIGTERM);
  lose_an_input(recording);
  Child replay({"replay", recording, "--json"});
  const json::value result = json::parse(replay.line());
  CHECK(replay.wait() == kExitDifference);
  CHECK_FALSE(result.at("equal").as_bool());
  CHECK(result.at("difference").as_string().size() > 10);
  std::remove(recording.c_str());
}

TEST_CASE("a recording that is cut off, damaged or not there is exit code 4") {
  const std::string recording = recorded_run(SIGTERM);
  const std::string whole = file_text(recording);
  {
    std::ofstream(recording) << whole.substr(0, whole.size() - 10);
    Child replay({"replay", recording});
    CHECK(replay.wait() == kExitDamaged);
  }
  {
    std::ofstream(recording) << "this is no recording";
    Child replay({"replay", recording});
    CHECK(replay.wait() == kExitDamaged);
  }
  {
    Child replay({"replay", recording + ".missing"});
    CHECK(replay.wait() == kExitDamaged);
  }
  std::remove(recording.c_str());
}

TEST_CASE("when a recording cannot be written the run goes on, and the recording is said to be partial") {
  const bool from_the_start = GENERATE(true, false);
  const std::string recording = from_the_start ? "/dev/full" : scratch("wtj");
  const std::string errors = scratch("err");
  {
    Child serve({"serve", "--topic", "orders", "--record", recording}, errors,
                from_the_start ? RLIM_INFINITY : 64 * 1024);
    const json::value first = json::parse(serve.line());
    DemoClient client(first.at("kafka").as_string().c_str(), "test");
    for (int i = 0; i < 10; ++i) {
      const auto produced = client.produce("orders", 0, {std::string(10'000, 'x')});
      REQUIRE(produced.ok());
      CHECK(produced->base_offset == i);
    }
    serve.signal(SIGTERM);
    CHECK(serve.wait() == 0);
  }
  const std::string said = file_text(errors);
  INFO(said);
  CHECK(said.find("the recording is partial: cannot write " + recording + ": ") != std::string::npos);
  CHECK(said.find(from_the_start ? "No space left" : "File too large") != std::string::npos);
  CHECK(said.find("partial") == said.rfind("partial"));  // once
  if (!from_the_start) {
    Child replay({"replay", recording, "--json"});
    const json::value result = json::parse(replay.line());
    CHECK(replay.wait() == kExitDamaged);
    CHECK(result.at("equal").as_bool());
    CHECK_FALSE(result.at("complete").as_bool());
    std::remove(recording.c_str());
  }
  std::remove(errors.c_str());
}

// One request to the control API, and all that comes back.
std::string ask_control(const std::string& url, const std::string& text,
                        const std::function<void()>& meanwhile) {
  const std::string port = url.substr(url.rfind(':') + 1);
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in peer{};
  peer.sin_family = AF_INET;
  peer.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  inet_pton(AF_INET, "127.0.0.1", &peer.sin_addr);
  const timeval limit{20, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  REQUIRE(::connect(socket, reinterpret_cast<sockaddr*>(&peer), sizeof peer) == 0);
  REQUIRE(::send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size()));
  meanwhile();
  std::string all;
  char piece[4096];
  for (ssize_t got; (got = ::recv(socket, piece, sizeof piece, 0)) > 0;)
    all.append(piece, static_cast<std::size_t>(got));
  ::close(socket);
  return all;
}

TEST_CASE("SIGTERM ends calls that wait, with an answer, and completes the recording") {
  const std::string recording = scratch("wtj");
  Child serve({"serve", "--record", recording, "--clock", "frozen"});
  const json::value first = json::parse(serve.line());
  const std::string url = first.at("control").as_string().c_str();
  const std::string rule = R"({"point":"kafka.request.received","action":"observe"})";
  const std::string head = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ";
  ask_control(url, "POST /v1/rules" + head + std::to_string(rule.size()) + "\r\n\r\n" + rule, [] {});
  const std::string body = R"({"timeout_ms":60000})";
  const std::string answer =
      ask_control(url, "POST /v1/rules/1/wait" + head + std::to_string(body.size()) + "\r\n\r\n" + body, [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        serve.signal(SIGTERM);
      });
  INFO(answer);
  CHECK(answer.find("HTTP/1.1 503") == 0);
  CHECK(answer.find("stopped") != std::string::npos);
  CHECK(serve.wait() == 0);
  Child replay({"replay", recording});
  CHECK(replay.wait() == 0);
  std::remove(recording.c_str());
}

TEST_CASE("SIGTERM ends a jump over a long time, whose recording is partial") {
  const std::string recording = scratch("wtj");
  Child serve({"serve", "--record", recording});
  const json::value first = json::parse(serve.line());
  const std::string body = R"({"ms":31536000000})";
  const std::string answer =
      ask_control(first.at("control").as_string().c_str(),
                  "POST /v1/advance HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " +
                      std::to_string(body.size()) + "\r\n\r\n" + body,
                  [&] {
                    std::this_thread::sleep_for(std::chrono::milliseconds(500));
                    serve.signal(SIGTERM);
                  });
  INFO(answer);
  CHECK(answer.find("HTTP/1.1 503") == 0);
  CHECK(serve.wait() == 0);
  Child inspect({"inspect", recording});
  CHECK(inspect.rest().find("advance") != std::string::npos);
  CHECK(inspect.wait() == kExitDamaged);
  std::remove(recording.c_str());
}

TEST_CASE("a port that is taken is said, with exit code 1") {
  Child first({"serve", "--brokers", "1"});
  const json::value line = json::parse(first.line());
  const std::string address = line.at("kafka").as_string().c_str();
  Child second({"serve", "--brokers", "1", "--port", address.substr(address.find(':') + 1)});
  CHECK(second.line().empty());
  CHECK(second.wait() == 1);
}

TEST_CASE("options that the cluster refuses are exit code 2") {
  Child serve({"serve", "--brokers", "1", "--topic", "orders:1:3"});
  CHECK(serve.wait() == 2);
  Child usage({"serve", "--brokers", "0"});
  CHECK(usage.wait() == 2);
}

TEST_CASE("the demonstration keeps its promises") {
  Child demo({"demo", "--once"});
  const std::string story = demo.rest();
  INFO(story);
  CHECK(demo.wait() == 0);
  CHECK(story.find("NOT AS PROMISED") == std::string::npos);
  CHECK(story.find("All as promised.") != std::string::npos);
}

TEST_CASE("the version") {
  Child version({"version"});
  CHECK(version.line().find("wavetank ") == 0);
  CHECK(version.wait() == 0);
}
