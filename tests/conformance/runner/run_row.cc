#include "tests/conformance/runner/run_row.h"

#include "absl/strings/str_cat.h"
#include "tests/conformance/runner/cluster_steps.h"
#include "tests/conformance/runner/exchange.h"
#include "tests/conformance/runner/group_log.h"
#include "tests/conformance/runner/records.h"
#include "tests/conformance/runner/step_fields.h"
#include "tests/conformance/runner/variables.h"

namespace wt::conformance {

namespace {

// {"topics[0].errorCode": 0}, or {"brokers#": 2} for a length.
bool holds(const json::value& condition, const json::value& answer) {
  if (!condition.is_object()) return false;
  for (const auto& [key, wanted] : condition.get_object()) {
    std::string_view path(key.data(), key.size());
    const bool is_length = path.ends_with("#");
    if (is_length) path.remove_suffix(1);
    const json::value* found = find(answer, path);
    if (found == nullptr) return false;
    if (is_length) {
      if (!found->is_array() || json::value(static_cast<std::int64_t>(found->get_array().size())) != wanted)
        return false;
    } else if (*found != wanted) {
      return false;
    }
  }
  return true;
}

class RowRun {
 public:
  RowRun(Row& row, Target& target, const RunOptions& options)
      : row_(row),
        target_(target),
        options_(options),
        variables_(options.run, target.now_ms()),
        exchange_(target, variables_.row_time_ms()),
        cluster_(exchange_, variables_) {
    variables_.keep_constants_of(row.source);
  }

  RowResult run() {
    for (step_ = 0; step_ < row_.steps().size(); ++step_) {
      json::object& source = row_.steps()[step_].as_object();
      const absl::Status status = run_step(source);
      if (status.ok()) continue;
      if (absl::IsUnimplemented(status)) {
        result_.outcome = Outcome::kNotComparable;
        result_.reason = absl::StrCat("step ", step_, ": ", status.message());
      } else {
        differ({"", "(the step can be carried out)", std::string(status.message())});
      }
      break;
    }
    return std::move(result_);
  }

 private:
  void differ(Difference difference) {
    result_.outcome = Outcome::kDiffers;
    result_.differences.push_back({step_, std::move(difference)});
  }

  absl::Status run_step(json::object& source) {
    // The expectation is filled in later: it may name what this step saves.
    json::object request_part = source;
    request_part.erase("expect");
    const absl::StatusOr<json::value> filled = variables_.fill_in(json::value(request_part));
    if (!filled.ok()) return filled.status();
    const json::object& step = filled->get_object();
    if (field(step, "api") != nullptr && field(step, "do") == nullptr) return request_step(step, source);
    const std::string_view what = text(step, "do");
    if (what == "receive") return receive_step(step, source);
    if (what == "send_bytes") return bytes_step(step, source);
    if (what == "create_topic") return cluster_.create_topic(step);
    if (what == "wait_leader") return cluster_.wait_leader(step);
    if (what == "coordinator") return coordinator_step(step);
    if (what == "group_log") return group_log_step(step, source);
    if (what == "sleep_ms") {
      target_.sleep_ms(number(step, "ms", 0));
      return absl::OkStatus();
    }
    const auto broker = static_cast<int>(number(step, "broker", 0));
    if (what == "crash_broker") return target_.crash_broker(broker);
    if (what == "restart_broker") return target_.restart_broker(broker);
    if (what == "move_leader") {
      return target_.move_leader(text(step, "topic"), static_cast<std::int32_t>(number(step, "partition", 0)),
                                 static_cast<int>(number(step, "to", 0)));
    }
    return absl::InvalidArgumentError(absl::StrCat("unknown step ", absl_view(what)));
  }

  // Later steps go to the coordinator unless they name a broker.
  absl::Status coordinator_step(const json::object& step) {
    const absl::StatusOr<int> found = cluster_.find_coordinator(text(step, "group"));
    if (!found.ok()) return found.status();
    default_broker_ = *found;
    variables_.set("coordinator", json::value(*found), "");
    if (field(step, "as") != nullptr) variables_.set(std::string(text(step, "as")), json::value(*found), "");
    variables_.set("other", json::value(*found % target_.broker_count() + 1), "");
    return absl::OkStatus();
  }

  absl::Status group_log_step(const json::object& step, json::object& source) {
    absl::StatusOr<json::value> log = read_group_log(exchange_, default_broker_, text(step, "group"));
    if (!log.ok()) return log.status();
    return judge(step, source, {Reply::Kind::kFrame, in_row_order(*log, "group_log"), "group_log"});
  }

  absl::StatusOr<ConnectionId> connection_of(const json::object& step) {
    ConnectionId id{std::string(text(step, "connection", "c1")), default_broker_};
    const json::value* broker = field(step, "broker");
    if (broker == nullptr) return id;
    if (broker->is_int64()) {
      id.broker = static_cast<int>(broker->get_int64());
      return id;
    }
    return absl::InvalidArgumentError("broker is no number");
  }

  // ---- one request, one answer ----

  static RequestStep request_of(const json::object& step) {
    RequestStep request{text(step, "api"), static_cast<std::int16_t>(number(step, "version", 0))};
    if (const json::value* fields = field(step, "request")) request.fields = *fields;
    if (const json::value* id = field(step, "client_id")) {
      request.client_id = id->is_string() ? std::optional<std::string>(view(id->get_string())) : std::nullopt;
    }
    return request;
  }

  absl::Status request_step(const json::object& step, json::object& source) {
    const absl::StatusOr<ConnectionId> connection = connection_of(step);
    if (!connection.ok()) return connection.status();
    const json::value* until = field(step, "until");
    const std::int64_t give_up_ms = target_.now_ms() + kSettleWait_ms;
    while (true) {
      absl::Status sent = exchange_.send(request_of(step), *connection);
      if (!sent.ok()) return sent;
      if (flag(step, "send_only")) {
        if (flag(step, "no_answer")) exchange_.expect_nothing(*connection);
        return absl::OkStatus();
      }
      const absl::StatusOr<Answer> answer = exchange_.receive(*connection, wait_of(step));
      if (!answer.ok()) return answer.status();
      const bool is_settled = until == nullptr || answer->kind != Reply::Kind::kFrame ||
                              holds(*until, answer->message) || target_.now_ms() > give_up_ms;
      if (is_settled) return judge(step, source, *answer);
      target_.sleep_ms(kPollEvery_ms);
    }
  }

  static std::int64_t wait_of(const json::object& step) {
    const std::int64_t silence_ms = number(step, "expect_no_answer_ms", -1);
    return silence_ms >= 0 ? silence_ms : number(step, "timeout_ms", kAnswerWait_ms);
  }

  absl::Status receive_step(const json::object& step, json::object& source) {
    const absl::StatusOr<ConnectionId> connection = connection_of(step);
    if (!connection.ok()) return connection.status();
    const absl::StatusOr<Answer> answer = exchange_.receive(*connection, wait_of(step));
    if (!answer.ok()) return answer.status();
    return judge(step, source, *answer);
  }

  // Raw bytes; the answer, if one is wanted, is read as "receive" says.
  absl::Status bytes_step(const json::object& step, json::object& source) {
    const absl::StatusOr<ConnectionId> connection = connection_of(step);
    if (!connection.ok()) return connection.status();
    const auto bytes = from_hex(text(step, "bytes"));
    if (!bytes.ok()) return bytes.status();
    absl::Status sent = target_.send(*connection, {Slice::copy_of(*bytes)});
    if (!sent.ok()) return sent;
    const std::int64_t silence_ms = number(step, "expect_no_answer_ms", -1);
    const json::value* receive = field(step, "receive");
    if (receive == nullptr && silence_ms < 0 && !flag(step, "expect_close")) return absl::OkStatus();
    const Reply reply = target_.receive(*connection, silence_ms >= 0 ? silence_ms : kAnswerWait_ms);
    Answer answer{reply.kind, nullptr, ""};
    if (reply.kind == Reply::Kind::kFrame) {
      if (receive == nullptr || !receive->is_object()) {
        answer.message = json::value(json::string(to_hex(reply.frame.bytes())));
      } else {
        absl::StatusOr<Answer> read = Exchange::read(
            text(receive->get_object(), "api"),
            static_cast<std::int16_t>(number(receive->get_object(), "version", 0)), reply.frame);
        if (!read.ok()) return read.status();
        answer = *std::move(read);
      }
    }
    return judge(step, source, answer);
  }

  // ---- what came against what was expected ----

  absl::Status judge(const json::object& step, json::object& source, const Answer& full) {
    Answer answer = full;
    if (const json::value* only = field(step, "only")) keep_only(*only, answer.message);
    absl::Status saved = save(step, answer);
    if (options_.record) record(step, source, answer);
    if (answer.kind != Reply::Kind::kFrame) {
      const bool is_closed = answer.kind == Reply::Kind::kClosed;
      const bool was_wanted = is_closed
                                  ? flag(step, "expect_close") || field(source, "expect_close") != nullptr
                                  : field(step, "expect_no_answer_ms") != nullptr;
      if (!was_wanted) differ({"", expectation_text(step), is_closed ? "(closed)" : "(no answer)"});
      return absl::OkStatus();
    }
    const json::value* expected = field(source, "expect");
    if (expected == nullptr) {
      if (flag(step, "expect_close") || field(step, "expect_no_answer_ms") != nullptr) {
        differ({"", expectation_text(step), json::serialize(answer.message)});
      } else {
        result_.outcome = Outcome::kNotComparable;
        result_.reason = absl::StrCat("step ", step_, " has no expectation: record it");
      }
      return saved;
    }
    const absl::StatusOr<json::value> filled = variables_.fill_in(*expected);
    if (!filled.ok()) {
      differ({"", json::serialize(*expected), json::serialize(answer.message)});
      return saved.ok() ? filled.status() : saved;
    }
    for (Difference& difference : compare(*filled, answer.message, target_.broker_count()))
      differ(std::move(difference));
    return saved;
  }

  static std::string expectation_text(const json::object& step) {
    if (flag(step, "expect_close")) return "(closed)";
    return field(step, "expect_no_answer_ms") != nullptr ? "(no answer)" : "(an answer)";
  }

  // {"groups": "x"}: of that list, what has x in one of its texts.
  static void keep_only(const json::value& only, json::value& answer) {
    if (!only.is_object() || !answer.is_object()) return;
    for (const auto& [path, wanted] : only.get_object()) {
      json::value* list = answer.get_object().if_contains(path);
      if (list == nullptr || !list->is_array() || !wanted.is_string()) continue;
      json::array kept;
      for (const json::value& entry : list->get_array()) {
        if (json::serialize(entry).find(view(wanted.get_string())) != std::string::npos)
          kept.push_back(entry);
      }
      *list = std::move(kept);
    }
  }

  void record(const json::object& step, json::object& source, const Answer& answer) {
    // A partial expectation was written by hand, because the rest is no matter of the row.
    const json::value* old = field(source, "expect");
    if (old != nullptr && old->is_object() && old->get_object().contains("$partial")) return;
    source.erase("expect");
    if (answer.kind == Reply::Kind::kClosed) source["expect_close"] = true;
    if (answer.kind != Reply::Kind::kFrame) return;
    source.erase("expect_close");
    source.erase("expect_no_answer_ms");
    source["expect"] = variables_.generalise(answer.message, saved_paths(step));
  }

  // Where this step found what it saved.
  static std::map<std::string, std::string> saved_paths(const json::object& step) {
    std::map<std::string, std::string> out;
    const json::value* saves = field(step, "save");
    if (saves == nullptr || !saves->is_object()) return out;
    for (const auto& [name, path] : saves->get_object()) {
      if (path.is_string()) out.emplace(view(path.get_string()), std::string(name));
    }
    return out;
  }

  absl::Status save(const json::object& step, const Answer& answer) {
    if (answer.kind != Reply::Kind::kFrame) return absl::OkStatus();
    for (const auto& [where, name] : saved_paths(step)) {
      const json::value* found = find(answer.message, where);
      if (found == nullptr) return absl::NotFoundError(absl::StrCat("the answer has no ", where, " to save"));
      variables_.set(name, *found, where.substr(where.rfind('.') + 1));
    }
    return absl::OkStatus();
  }

  Row& row_;
  Target& target_;
  const RunOptions& options_;
  Variables variables_;
  Exchange exchange_;
  ClusterSteps cluster_;
  RowResult result_;
  std::size_t step_ = 0;
  int default_broker_ = 1;
};

}  // namespace

std::string StepDifference::path() const {
  return absl::StrCat("[", step, "]", difference.path.empty() ? "" : ".", difference.path);
}

RowResult run_row(Row& row, Target& target, const RunOptions& options) {
  target.close_all();
  RowRun run(row, target, options);
  return run.run();
}

}  // namespace wt::conformance
