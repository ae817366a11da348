// The C interface.
#include <cstdlib>
#include <cstring>

#include "harness/embed/rule_request.h"
#include "harness/embed/session_json.h"
#include "wavetank/wavetank.h"

struct wt_cluster {
  std::unique_ptr<wt::harness::Session> session;
  std::string bootstrap;
  std::string tls_ca_file;
};

namespace {

thread_local std::string last_error;

char* to_c(const std::string& text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy != nullptr) std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

void fail(std::string_view message) {
  last_error = std::string(message);
}

// Runs `work`; nothing that it throws (memory is gone) gets out.
template <class Result, class Work>
Result guarded(Result otherwise, const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    try {
      fail(error.what());
    } catch (...) {
      last_error.clear();
    }
  }
  return otherwise;
}

int done(const wt::Status& status) {
  if (status.ok()) return 0;
  fail(wt::message_of(status));
  return -1;
}

bool given(const void* cluster, const void* text) {
  if (cluster != nullptr && text != nullptr) return true;
  fail("An argument is NULL.");
  return false;
}

}  // namespace

extern "C" {

wt_cluster* wt_cluster_new(const char* options) {
  return guarded<wt_cluster*>(nullptr, [&]() -> wt_cluster* {
    const auto parsed = wt::harness::session_options_from_json(options == nullptr ? "{}" : options);
    if (!parsed.ok()) {
      fail(wt::message_of(parsed.status()));
      return nullptr;
    }
    auto session = wt::harness::Session::start(*parsed);
    if (!session.ok()) {
      fail(wt::message_of(session.status()));
      return nullptr;
    }
    auto cluster = std::make_unique<wt_cluster>();
    cluster->session = std::move(*session);
    cluster->bootstrap = cluster->session->bootstrap();
    if (const auto* files = cluster->session->tls_files()) cluster->tls_ca_file = files->ca();
    return cluster.release();
  });
}

void wt_cluster_free(wt_cluster* cluster) {
  delete cluster;
}

const char* wt_bootstrap(const wt_cluster* cluster) {
  return cluster == nullptr ? "" : cluster->bootstrap.c_str();
}

const char* wt_tls_ca_file(const wt_cluster* cluster) {
  return cluster == nullptr ? "" : cluster->tls_ca_file.c_str();
}

char* wt_execute(wt_cluster* cluster, const char* request) {
  if (!given(cluster, request)) return nullptr;
  return guarded<char*>(nullptr, [&] { return to_c(cluster->session->execute(request)); });
}

char* wt_query(wt_cluster* cluster, const char* request) {
  if (!given(cluster, request)) return nullptr;
  return guarded<char*>(nullptr, [&] { return to_c(cluster->session->query(request)); });
}

char* wt_add_rule(wt_cluster* cluster, const char* rule) {
  if (!given(cluster, rule)) return nullptr;
  return guarded<char*>(nullptr, [&] {
    const auto body = wt::cluster::parse_object(rule);
    if (!body.ok()) return to_c(wt::cluster::error_answer("invalid_argument", wt::message_of(body.status())));
    const auto request = wt::harness::rule_request(*body);
    if (!request.ok())
      return to_c(wt::cluster::error_answer("invalid_argument", wt::message_of(request.status())));
    return to_c(cluster->session->execute(wt::cluster::json::serialize(*request)));
  });
}

int wt_wait_rule(wt_cluster* cluster, std::uint32_t rule, std::uint64_t hits, std::uint64_t holding,
                 std::int64_t timeout_ms) {
  if (!given(cluster, "")) return -1;
  return guarded(-1, [&] {
    wt::harness::Session& session = *cluster->session;
    std::optional<wt::FaultRules::RuleState> state;
    const auto fulfilled = [&] { return state->hits >= hits && state->holding >= holding; };
    const auto looked = [&] {
      state = session.simulated().cluster().rules().state(rule);
      return !state || fulfilled();
    };
    const auto over = session.driver().wait_until(looked, wt::from_ms(timeout_ms));
    if (!over.ok()) fail(wt::message_of(over.status()));
    if (over.ok() && !state) fail("There is no rule " + std::to_string(rule) + ".");
    if (!over.ok() || !state) return -1;
    if (!fulfilled()) fail(session.waiting_report());
    return fulfilled() ? 1 : 0;
  });
}

int wt_advance_ms(wt_cluster* cluster, std::int64_t by_ms, int silence_counts) {
  if (!given(cluster, "")) return -1;
  return guarded(-1,
                 [&] { return done(cluster->session->advance(wt::from_ms(by_ms), silence_counts != 0)); });
}

std::int64_t wt_now_ms(wt_cluster* cluster) {
  if (!given(cluster, "")) return -1;
  return guarded<std::int64_t>(-1, [&] { return wt::to_ms(cluster->session->now()); });
}

int wt_stop_recording(wt_cluster* cluster) {
  if (!given(cluster, "")) return -1;
  return guarded(-1, [&] { return done(cluster->session->stop_recording()); });
}

void wt_free(char* text) {
  std::free(text);
}

const char* wt_last_error(void) {
  return last_error.c_str();
}

}  // extern "C"
