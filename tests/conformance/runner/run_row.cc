#include "tests/conformance/runner/run_row.h"

#include <deque>
#include <map>

#include "absl/strings/str_cat.h"
#include "sim/formats/byte_reader.h"
#include "tests/conformance/runner/message.h"
#include "tests/conformance/runner/records.h"
#include "tests/conformance/runner/variables.h"

namespace wt::conformance {

namespace {

constexpr std::int64_t kAnswerWait_ms = 15'000;
constexpr std::int64_t kSettleWait_ms = 60'000;
constexpr std::int64_t kPollEvery_ms = 20;

absl::string_view absl_view(std::string_view text) {
  return {text.data(), text.size()};
}

// Fields of a step.
const json::value* field(const json::object& step, std::string_view name) {
  return step.if_contains(json::string_view(name.data(), name.size()));
}
std::int64_t number(const json::object& step, std::string_view name, std::int64_t otherwise) {
  const json::value* value = field(step, name);
  return value != nullptr && value->is_int64() ? value->get_int64() : otherwise;
}
std::string_view text(const json::object& step, std::string_view name, std::string_view otherwise = "") {
  const json::value* value = field(step, name);
  return value != nullptr && value->is_string() ? view(value->get_string()) : otherwise;
}
bool flag(const json::object& step, std::string_view name) {
  const json::value* value = field(step, name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

// How an answer ended: a decoded message, a closed connection, or silence.
struct Answer {
  Reply::Kind kind = Reply::Kind::kNothing;
  json::value message;
  std::string api;
};

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
      : row_(row), target_(target), options_(options), variables_(options.run, target.now_ms()) {
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
    if (what == "create_topic") return create_topic(step);
    if (what == "wait_leader") return wait_leader(step);
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

  absl::StatusOr<ConnectionId> connection_of(const json::object& step) {
    ConnectionId id{std::string(text(step, "connection", "c1")), 1};
    const json::value* broker = field(step, "broker");
    if (broker == nullptr) return id;
    if (broker->is_int64()) {
      id.broker = static_cast<int>(broker->get_int64());
      return id;
    }
    return absl::InvalidArgumentError("broker is no number");
  }

  // ---- one request, one answer ----

  absl::Status send_request(const json::object& step, const ConnectionId& connection) {
    const auto api = api_by_name(text(step, "api"));
    if (!api.ok()) return api.status();
    RequestText request;
    request.api = *api;
    request.version = static_cast<std::int16_t>(number(step, "version", 0));
    request.correlation_id = ++correlation_id_;
    if (const json::value* id = field(step, "client_id")) {
      request.client_id = id->is_string() ? std::optional<std::string>(view(id->get_string())) : std::nullopt;
    }
    const json::value* fields = field(step, "request");
    const auto frame =
        encode_request_text(request, fields == nullptr ? json::object() : *fields, variables_.row_time_ms());
    if (!frame.ok()) return frame.status();
    absl::Status sent = target_.send(connection, *frame);
    if (sent.ok()) pending_[connection].push_back({*api, request.version, request.correlation_id});
    return sent;
  }

  absl::StatusOr<Answer> receive_answer(const ConnectionId& connection, std::int64_t wait_ms) {
    const Reply reply = target_.receive(connection, wait_ms);
    Answer answer{reply.kind, nullptr, ""};
    std::deque<Pending>& waiting = pending_[connection];
    if (reply.kind == Reply::Kind::kClosed) waiting.clear();
    if (reply.kind == Reply::Kind::kNothing && !waiting.empty()) waiting.back().was_silent = true;
    if (reply.kind != Reply::Kind::kFrame) return answer;
    ByteReader reader(reply.frame.bytes());
    const std::int32_t correlation_id = reader.i32();
    // What stayed silent may stay so, as a Produce with acks=0 does.
    while (!waiting.empty() && waiting.front().was_silent &&
           waiting.front().correlation_id != correlation_id) {
      waiting.pop_front();
    }
    if (waiting.empty()) return absl::InternalError("an answer to no request");
    const Pending expected = waiting.front();
    waiting.pop_front();
    return decode(expected, reply.frame);
  }

  struct Pending {
    const kafka::ApiSpec* api;
    std::int16_t version;
    std::int32_t correlation_id;
    bool was_silent = false;
  };

  absl::StatusOr<Answer> decode(const Pending& expected, const Slice& frame) {
    ByteReader reader(frame.bytes());
    const std::int32_t correlation_id = reader.i32();
    if (correlation_id != expected.correlation_id) {
      return absl::InternalError(
          absl::StrCat("answer to request ", correlation_id, " instead of ", expected.correlation_id));
    }
    absl::StatusOr<json::value> message = decode_answer(*expected.api, expected.version, frame);
    if (!message.ok()) {
      return absl::InternalError(
          absl::StrCat("unreadable answer: ", message.status().message(), ": ", to_hex(frame.bytes())));
    }
    const std::string api = expected.api->name;
    return Answer{Reply::Kind::kFrame, in_row_order(*message, api), api};
  }

  absl::Status request_step(const json::object& step, json::object& source) {
    const absl::StatusOr<ConnectionId> connection = connection_of(step);
    if (!connection.ok()) return connection.status();
    const json::value* until = field(step, "until");
    const std::int64_t give_up_ms = target_.now_ms() + kSettleWait_ms;
    while (true) {
      absl::Status sent = send_request(step, *connection);
      if (!sent.ok()) return sent;
      if (flag(step, "send_only")) {
        if (flag(step, "no_answer")) pending_[*connection].pop_back();
        return absl::OkStatus();
      }
      const std::int64_t silence_ms = number(step, "expect_no_answer_ms", -1);
      const absl::StatusOr<Answer> answer = receive_answer(
          *connection, silence_ms >= 0 ? silence_ms : number(step, "timeout_ms", kAnswerWait_ms));
      if (!answer.ok()) return answer.status();
      const bool is_settled = until == nullptr || answer->kind != Reply::Kind::kFrame ||
                              holds(*until, answer->message) || target_.now_ms() > give_up_ms;
      if (is_settled) return judge(step, source, *answer);
      target_.sleep_ms(kPollEvery_ms);
    }
  }

  absl::Status receive_step(const json::object& step, json::object& source) {
    const absl::StatusOr<ConnectionId> connection = connection_of(step);
    if (!connection.ok()) return connection.status();
    const std::int64_t silence_ms = number(step, "expect_no_answer_ms", -1);
    const absl::StatusOr<Answer> answer = receive_answer(
        *connection, silence_ms >= 0 ? silence_ms : number(step, "timeout_ms", kAnswerWait_ms));
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
        const auto api = api_by_name(text(receive->get_object(), "api"));
        if (!api.ok()) return api.status();
        ByteReader reader(reply.frame.bytes());
        const Pending expected{*api, static_cast<std::int16_t>(number(receive->get_object(), "version", 0)),
                               reader.i32()};
        absl::StatusOr<Answer> decoded = decode(expected, reply.frame);
        if (!decoded.ok()) return decoded.status();
        answer = *std::move(decoded);
      }
    }
    return judge(step, source, answer);
  }

  // ---- what came against what was expected ----

  absl::Status judge(const json::object& step, json::object& source, const Answer& answer) {
    if (options_.record) record(source, answer);
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
      return save(step, answer);
    }
    const absl::StatusOr<json::value> filled = variables_.fill_in(*expected);
    if (!filled.ok()) return filled.status();
    for (Difference& difference : compare(*filled, answer.message, target_.broker_count()))
      differ(std::move(difference));
    return save(step, answer);
  }

  static std::string expectation_text(const json::object& step) {
    if (flag(step, "expect_close")) return "(closed)";
    return field(step, "expect_no_answer_ms") != nullptr ? "(no answer)" : "(an answer)";
  }

  void record(json::object& source, const Answer& answer) {
    // A partial expectation was written by hand, because the rest is no matter of the row.
    const json::value* old = field(source, "expect");
    if (old != nullptr && old->is_object() && old->get_object().contains("$partial")) return;
    source.erase("expect");
    if (answer.kind == Reply::Kind::kClosed) source["expect_close"] = true;
    if (answer.kind != Reply::Kind::kFrame) return;
    source.erase("expect_close");
    source.erase("expect_no_answer_ms");
    source["expect"] = variables_.generalise(answer.message);
  }

  absl::Status save(const json::object& step, const Answer& answer) {
    const json::value* saves = field(step, "save");
    if (saves == nullptr || !saves->is_object()) return absl::OkStatus();
    for (const auto& [name, path] : saves->get_object()) {
      const std::string_view where = path.is_string() ? view(path.get_string()) : "";
      const json::value* found = find(answer.message, where);
      if (found == nullptr)
        return absl::NotFoundError(absl::StrCat("the answer has no ", absl_view(where), " to save"));
      variables_.set(std::string(name), *found, std::string(where.substr(where.rfind('.') + 1)));
    }
    return absl::OkStatus();
  }

  // ---- steps made of requests ----

  // Asks on a connection of its own.
  absl::StatusOr<json::value> ask(int broker, std::string_view api, std::int16_t version,
                                  json::object request) {
    const ConnectionId connection{"(runner)", broker};
    json::object step{{"version", version}, {"request", std::move(request)}};
    step["api"] = json::string_view(api.data(), api.size());
    absl::Status sent = send_request(step, connection);
    if (!sent.ok()) return sent;
    absl::StatusOr<Answer> answer = receive_answer(connection, kAnswerWait_ms);
    if (!answer.ok()) return answer.status();
    if (answer->kind != Reply::Kind::kFrame) return absl::UnavailableError("no answer");
    return std::move(answer->message);
  }
  absl::StatusOr<json::value> ask_topic(int broker, std::string_view topic) {
    json::object entry{{"name", json::string_view(topic.data(), topic.size())}};
    return ask(broker, "Metadata", 12, {{"topics", json::array{entry}}, {"allowAutoTopicCreation", false}});
  }

  absl::Status create_topic(const json::object& step) {
    const std::string_view name = text(step, "topic");
    json::object topic{{"numPartitions", -1}, {"replicationFactor", -1}};
    topic["name"] = json::string_view(name.data(), name.size());
    json::array assignments;
    if (const json::value* lists = field(step, "assignments"); lists != nullptr && lists->is_array()) {
      for (const json::value& brokers : lists->get_array()) {
        assignments.push_back(
            {{"partitionIndex", static_cast<std::int64_t>(assignments.size())}, {"brokerIds", brokers}});
      }
    }
    topic["assignments"] = std::move(assignments);
    json::array configs;
    if (const json::value* settings = field(step, "configs"); settings != nullptr && settings->is_object()) {
      for (const auto& [key, value] : settings->get_object())
        configs.push_back({{"name", key}, {"value", value}});
    }
    topic["configs"] = std::move(configs);
    const auto answer = ask(1, "CreateTopics", 7, {{"timeoutMs", 30'000}, {"topics", json::array{topic}}});
    if (!answer.ok()) return answer.status();
    const json::value* error = find(*answer, "topics[0].errorCode");
    const json::value* id = find(*answer, "topics[0].topicId");
    if (error == nullptr || id == nullptr || *error != 0) {
      return absl::InternalError(absl::StrCat("cannot create the topic: ", json::serialize(*answer)));
    }
    variables_.set(absl::StrCat(absl_view(name.substr(0, name.rfind('-'))), ".id"), *id, "topicId");
    for (int broker = 1; broker <= target_.broker_count(); ++broker) {
      absl::Status status = wait_until_known(broker, name, *id);
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

  // Until `broker` knows a leader of every partition, and the leaders know that they lead.
  absl::Status wait_until_known(int broker, std::string_view topic, const json::value& id) {
    const std::int64_t give_up_ms = target_.now_ms() + kSettleWait_ms;
    while (target_.now_ms() < give_up_ms) {
      const auto answer = ask_topic(broker, topic);
      if (absl::IsUnavailable(answer.status())) return absl::OkStatus();  // it is down: the row knows
      if (!answer.ok()) return answer.status();
      const json::value* found = find(*answer, "topics[0].topicId");
      if (found != nullptr && *found == id && leaders_ready(broker, topic, *answer)) return absl::OkStatus();
      target_.sleep_ms(kPollEvery_ms);
    }
    return absl::DeadlineExceededError(absl::StrCat("broker ", broker, " does not learn of the topic"));
  }

  bool leaders_ready(int broker, std::string_view topic, const json::value& metadata) {
    const json::value* partitions = find(metadata, "topics[0].partitions");
    if (partitions == nullptr || !partitions->is_array() || partitions->get_array().empty()) return false;
    for (const json::value& partition : partitions->get_array()) {
      const json::value* leader = find(partition, "leaderId");
      if (leader == nullptr || !leader->is_int64() || leader->get_int64() < 0) return false;
      if (leader->get_int64() != broker) continue;
      if (!serves(broker, topic, *find(partition, "partitionIndex"))) return false;
    }
    return true;
  }

  // Whether the broker knows that it leads the partition, not only the others.
  bool serves(int broker, std::string_view topic, const json::value& partition) {
    json::object entry{{"partitionIndex", partition}, {"timestamp", -1}};
    json::object of_topic{{"partitions", json::array{entry}}};
    of_topic["name"] = json::string_view(topic.data(), topic.size());
    const auto answer = ask(broker, "ListOffsets", 5, {{"replicaId", -1}, {"topics", json::array{of_topic}}});
    const json::value* error = answer.ok() ? find(*answer, "topics[0].partitions[0].errorCode") : nullptr;
    return error != nullptr && *error == 0;
  }

  absl::Status wait_leader(const json::object& step) {
    const std::int64_t give_up_ms = target_.now_ms() + kSettleWait_ms;
    const json::value* leader = field(step, "leader");
    const std::int64_t isr = number(step, "isr", 0);
    const std::string path = absl::StrCat("topics[0].partitions[", number(step, "partition", 0), "]");
    while (target_.now_ms() < give_up_ms) {
      if (is_led(step, path, leader, isr)) return absl::OkStatus();
      target_.sleep_ms(kPollEvery_ms);
    }
    return absl::DeadlineExceededError("the leader that the step waits for does not come");
  }
  // On every broker that answers.
  bool is_led(const json::object& step, const std::string& path, const json::value* leader,
              std::int64_t isr) {
    for (int broker = 1; broker <= target_.broker_count(); ++broker) {
      const auto answer = ask_topic(broker, text(step, "topic"));
      if (absl::IsUnavailable(answer.status())) continue;
      const json::value* partition = answer.ok() ? find(*answer, path) : nullptr;
      if (partition == nullptr) return false;
      if (leader != nullptr && *find(*partition, "leaderId") != *leader) return false;
      const json::value* replicas = find(*partition, "isrNodes");
      if (static_cast<std::int64_t>(replicas->get_array().size()) < isr) return false;
    }
    const bool is_somebody = leader != nullptr && leader->is_int64() && leader->get_int64() > 0;
    return !is_somebody || serves(static_cast<int>(leader->get_int64()), text(step, "topic"),
                                  json::value(number(step, "partition", 0)));
  }

  Row& row_;
  Target& target_;
  const RunOptions& options_;
  Variables variables_;
  RowResult result_;
  std::size_t step_ = 0;
  std::int32_t correlation_id_ = 100;
  std::map<ConnectionId, std::deque<Pending>> pending_;
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
