#include "harness/control/session_backend.h"

#include "sim/cluster/json_fields.h"

namespace wt::harness {
namespace {

std::string error_of(const Status& status) {
  const char* code = "stopped";
  if (status.code() == StatusCode::kInvalidArgument) code = "invalid_argument";
  if (status.code() == StatusCode::kFailedPrecondition) code = "finding";
  return cluster::error_answer(code, message_of(status));
}

}  // namespace

std::string SessionBackend::advance(DurationNs by_ns, bool silence_counts) {
  if (Status moved = session_.advance(by_ns, silence_counts); !moved.ok()) return error_of(moved);
  cluster::json::object fields;
  fields["now_ms"] = to_ms(session_.now());
  return cluster::ok_answer(std::move(fields));
}

std::string SessionBackend::wait_rule(const RuleWait& wait) {
  std::optional<FaultRules::RuleState> state;
  const auto fulfilled = [&] { return state->hits >= wait.hits && state->holding >= wait.holding; };
  const auto looked = [&] {
    state = session_.simulated().cluster().rules().state(wait.rule);
    return !state || fulfilled();
  };
  const StatusOr<bool> over = session_.driver().wait_until(looked, wait.timeout_ns);
  if (!over.ok()) return error_of(over.status());
  if (!state) {
    return cluster::error_answer("not_found", "There is no rule " + std::to_string(wait.rule) + ".");
  }
  cluster::json::object fields;
  fields["hit"] = fulfilled();
  fields["hits"] = state->hits;
  fields["holding"] = state->holding;
  if (!fulfilled()) fields["report"] = session_.waiting_report();
  return cluster::ok_answer(std::move(fields));
}

std::string SessionBackend::flush_recording() {
  const RecordingOptions& recording = session_.recording();
  if (recording.where == RecordingOptions::Where::off) {
    return cluster::error_answer("not_found", "This cluster is not recorded.");
  }
  if (Status flushed = session_.flush_recording(); !flushed.ok()) return error_of(flushed);
  cluster::json::object fields;
  if (recording.where == RecordingOptions::Where::file) {
    fields["path"] = recording.path;
  } else {
    fields["path"] = nullptr;
  }
  return cluster::ok_answer(std::move(fields));
}

}  // namespace wt::harness
