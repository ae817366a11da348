// `wavetank demo`: a short story over real sockets. Everything that it claims is checked.
#include <cstdio>

#include "harness/cli/commands.h"
#include "harness/cli/demo_client.h"
#include "harness/control/http_server.h"
#include "harness/control/session_backend.h"
#include "harness/embed/replay_session.h"
#include "sim/cluster/json_fields.h"

namespace wt::harness::cli {
namespace {

namespace json = cluster::json;

// Tells the story and keeps count of what was not as promised.
class Story {
 public:
  explicit Story(Session& session) : session_(session), client_(session.bootstrap(), "demo") {}

  // False when something was not as promised.
  bool tell();

 private:
  void say(const std::string& text) { std::printf("%s\n", text.c_str()); }
  void step(const std::string& text) { std::printf("\n%d. %s\n", ++steps_, text.c_str()); }
  bool promise(bool holds, const std::string& text) {
    std::printf("   %s %s\n", holds ? "ok:" : "NOT AS PROMISED:", text.c_str());
    broken_ += holds ? 0 : 1;
    return holds;
  }
  json::object call(const std::string& request);
  cluster::PartitionView partition();
  void show(const cluster::PartitionView& view);

  bool create_topic();
  bool produce();
  bool crash_during_append();
  bool consume();
  bool move_time();
  bool replay_run();

  Session& session_;
  DemoClient client_;
  ProducerIdentity producer_;
  int steps_ = 0;
  int broken_ = 0;
};

json::object Story::call(const std::string& request) {
  const StatusOr<json::object> answer = cluster::parse_object(session_.execute(request));
  return answer.ok() ? *answer : json::object();
}

cluster::PartitionView Story::partition() {
  const auto look = [this] { return session_.simulated().cluster().partition("orders", 0); };
  const auto view = session_.driver().call(look);
  return view.ok() && *view ? **view : cluster::PartitionView();
}

void Story::show(const cluster::PartitionView& view) {
  say("   orders-0: leader " + std::to_string(view.leader) + ", epoch " + std::to_string(view.leader_epoch) +
      ", LEO " + std::to_string(view.leo) + ", HW " + std::to_string(view.hw) + ", LSO " +
      std::to_string(view.lso));
}

bool Story::create_topic() {
  step("Create the topic 'orders' with one partition that any of three brokers may lead.");
  const json::object answer =
      call(R"({"do":"create_topic","name":"orders","partitions":1,"replication_factor":3})");
  return promise(answer.contains("ok"), "the topic is there");
}

bool Story::produce() {
  step("Produce two records with an idempotent producer, over a real socket.");
  const StatusOr<ProducerIdentity> identity = client_.init_producer();
  if (!promise(identity.ok(), "the producer has got an id")) return false;
  producer_ = *identity;
  const StatusOr<Produced> produced = client_.produce("orders", 0, {"one", "two"}, producer_, 0);
  if (!produced.ok())
    return promise(false, "the records were acknowledged: " + std::string(message_of(produced.status())));
  promise(produced->base_offset == 0, "acknowledged at offset " + std::to_string(produced->base_offset));
  const cluster::PartitionView view = partition();
  show(view);
  return promise(view.leo == 2 && view.hw == 2 && view.lso == 2, "two records, all committed");
}

bool Story::crash_during_append() {
  step("Arm a fault: the leader dies right after the next append is durable, before it answers.");
  const cluster::PartitionView before = partition();
  const json::object armed = call(
      R"({"do":"add_rule","point":"kafka.produce.appended","topic":"orders","action":"crash_leader","count":1})");
  if (!promise(armed.contains("rule"), "the rule is armed at kafka.produce.appended")) return false;
  say("   Produce a third record: the client sees a broken connection, finds the new leader and sends it "
      "again.");
  const StatusOr<Produced> produced = client_.produce("orders", 0, {"three"}, producer_, 2);
  if (!produced.ok())
    return promise(false, "the record was acknowledged: " + std::string(message_of(produced.status())));
  const cluster::PartitionView view = partition();
  show(view);
  promise(produced->attempts > 1, "it took " + std::to_string(produced->attempts) + " attempts");
  promise(view.leader != before.leader && view.leader_epoch > before.leader_epoch,
          "broker " + std::to_string(before.leader) + " is dead, broker " + std::to_string(view.leader) +
              " leads");
  promise(produced->base_offset == 2, "acknowledged at offset " + std::to_string(produced->base_offset));
  return promise(view.leo == 3 && view.hw == 3, "one copy of it: the retry was recognised");
}

bool Story::consume() {
  step("Consume from the beginning.");
  const StatusOr<std::vector<ClientRecord>> records = client_.fetch("orders", 0, 0);
  if (!records.ok()) return promise(false, "records were read: " + std::string(message_of(records.status())));
  std::string text;
  for (const ClientRecord& record : *records)
    text += " " + std::to_string(record.offset) + "=" + record.value;
  return promise(text == " 0=one 1=two 2=three", "read:" + text);
}

bool Story::move_time() {
  step("Skip ten minutes of virtual time.");
  const TimeNs before_ns = session_.now();
  const Status moved = session_.advance(10 * kMinute_ns);
  promise(moved.ok() && session_.now() - before_ns >= 10 * kMinute_ns,
          "the cluster is ten minutes older, at once");
  const StatusOr<std::vector<ClientRecord>> records = client_.fetch("orders", 0, 2);
  return promise(records.ok() && records->size() == 1,
                 "the client's connection did not notice: it still reads");
}

bool Story::replay_run() {
  step("Replay the recording of this run, without sockets.");
  const std::uint64_t hash = session_.trace_hash();
  if (Status stopped = session_.stop_recording(); !stopped.ok()) {
    return promise(false, "the recording is complete: " + std::string(message_of(stopped)));
  }
  StatusOr<JournalReader> journal = JournalReader::open(session_.recorded());
  if (!journal.ok()) return promise(false, "the recording can be read");
  const StatusOr<ReplayResult> result = replay_session(std::move(*journal));
  if (!result.ok()) return promise(false, "it replays: " + std::string(message_of(result.status())));
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(result->trace_hash));
  const std::string why = result->difference ? ": " + result->difference->text : "";
  promise(result->complete && result->equal,
          std::to_string(result->steps) + " events came out the same" + why);
  return promise(result->trace_hash == hash, "with the same hash, " + std::string(text));
}

bool Story::tell() {
  (void)(create_topic() && produce() && crash_during_append() && consume() && move_time());
  replay_run();
  say(broken_ == 0 ? "\nAll as promised.\n"
                   : "\n" + std::to_string(broken_) + " things were not as promised.\n");
  return broken_ == 0;
}

}  // namespace

int demo(const DemoArguments& arguments) {
  block_signals();
  setvbuf(stdout, nullptr, _IOLBF, 0);
  SessionOptions options;
  options.cluster.seed = 42;
  StatusOr<std::unique_ptr<Session>> started = Session::start(std::move(options));
  if (!started.ok()) {
    std::fprintf(stderr, "wavetank: %s\n", std::string(message_of(started.status())).c_str());
    return 1;
  }
  Session& session = **started;
  SessionBackend backend(session);
  StatusOr<std::unique_ptr<HttpServer>> control = HttpServer::start(backend, {});
  if (!control.ok()) {
    std::fprintf(stderr, "wavetank: %s\n", std::string(message_of(control.status())).c_str());
    return 1;
  }
  std::printf("A Kafka cluster of three brokers in this process: %s\n", session.bootstrap().c_str());
  std::printf("Its control API: %s/v1\n", (*control)->url().c_str());
  bool fine = Story(session).tell();
  if (!arguments.once) {
    std::printf("The cluster goes on until Ctrl-C. Try for example:\n");
    std::printf("  kcat -b %s -L\n", session.bootstrap().c_str());
    std::printf("  curl %s/v1/topics/orders\n", (*control)->url().c_str());
    fine = wait_for_end(session) && fine;
  }
  session.stop();
  (*control)->stop();
  return fine ? 0 : 1;
}

}  // namespace wt::harness::cli
