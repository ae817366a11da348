// The control API as a pure function: which calls an HTTP request asks for, and which HTTP response their
// answers are. No sockets, no threads; docs/control-api.md describes it for users.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel/status.h"
#include "sim/kernel/time.h"

namespace wt::harness {

struct HttpRequest {
  std::string method;
  std::string target;  // path and query as sent
  std::string body;
};

struct HttpResponse {
  int status = 200;
  std::string body;   // JSON
  std::string allow;  // for 405: the methods that there are
};

// Until the rule was hit `hits` times and holds `holding`.
struct RuleWait {
  std::uint32_t rule = 0;
  std::uint64_t hits = 0;
  std::uint64_t holding = 0;
  DurationNs timeout_ns = 0;
};

// What has to be done for a request.
struct ControlCall {
  enum class Kind : std::uint8_t {
    answered,  // nothing: `response` is the answer
    query,     // `requests[0]`, read-only
    execute,   // `requests` one after the other; the first error ends it
    advance,   // by `by_ns`
    wait,      // for a rule
    flush,     // the recording
  };
  Kind kind = Kind::answered;
  std::vector<std::string> requests;  // JSON calls of sim/cluster/commands.h
  DurationNs by_ns = 0;
  bool silence_counts = false;
  RuleWait wait;
  int success_status = 200;
  HttpResponse response;
};

ControlCall plan(const HttpRequest& request);
// `answer` is {"ok":true,…} or {"error":{…}}: the answer to the last request that was made.
HttpResponse respond(const ControlCall& call, std::string_view answer);

// {"error":{"code":…,"message":…}} with the status that belongs to the code.
HttpResponse error_response(int status, std::string_view code, std::string_view message);
int status_of_code(std::string_view code);

// Whoever carries the calls out. From any thread; may take a while.
class ControlBackend {
 public:
  virtual ~ControlBackend() = default;
  // JSON text to JSON text; an answer that is pending is waited for.
  virtual std::string execute(std::string request) = 0;
  virtual std::string query(std::string request) = 0;
  // {"ok":true,"now_ms":…} or an error.
  virtual std::string advance(DurationNs by_ns, bool silence_counts) = 0;
  // {"ok":true,"hit":…,"hits":…,"holding":…}, or not_found; when the time is over with a "report" that says
  // who waits for whom. The time is that of Driver::wait_until.
  virtual std::string wait_rule(const RuleWait& wait) = 0;
  virtual std::string flush_recording() = 0;
};

// plan, carry out, respond.
HttpResponse serve(const HttpRequest& request, ControlBackend& backend);

}  // namespace wt::harness
