// Wavetank: a whole Kafka cluster inside a test, with a clock and faults that the test owns.
//
//   wavetank::Cluster sim;                                       // three brokers, listening on 127.0.0.1
//   sim.create_topic("orders", {3});
//   auto cut = sim.on("kafka.produce.appended").topic("orders").once().crash_leader();
//   … point any Kafka client at sim.kafka_bootstrap() …
//   sim.advance(std::chrono::minutes(15));
//   sim.partition("orders", 0).hw;
//
// Every function may be called from any thread. A call that makes no sense throws Error with a code and a
// sentence; destructors never throw. docs/embedding.md is the guide.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#define WAVETANK_API __attribute__((visibility("default")))

namespace wavetank {
inline namespace v1 {

using Duration = std::chrono::nanoseconds;
using TimePoint = std::chrono::time_point<std::chrono::system_clock, Duration>;

enum class ErrorCode {
  invalid_argument,
  not_found,
  already_exists,
  timed_out,       // the cluster gave no answer
  would_deadlock,  // a call from inside a predicate
  finding,         // an invariant was violated; only looking is possible
  incomplete,      // the recording has reached its limit, or its file cannot be written
  stopped,         // the cluster has been destroyed or could not start
};

// What misuse and failed calls throw. what() is a sentence.
class WAVETANK_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& message);
  Error(const Error&) noexcept;
  ~Error() override;
  ErrorCode code() const noexcept { return code_; }

 private:
  ErrorCode code_;
};

// How virtual time moves (docs/clock.md).
enum class Clock {
  flow,          // starts at the wall clock and follows it, jumps on advance()
  frozen,        // starts at the wall clock, moves on advance() only
  virtual_time,  // jumps to the next event; no sockets
};

// Who runs the cluster.
enum class Drive {
  thread,  // a thread of its own
  caller,  // the thread that made it, in pump() and in every call
};

enum class LogKind {
  shared,  // one copy of the data; any broker of the replica list may lead
};

// How clients connect, one way for all brokers (docs/security.md).
enum class SecurityProtocol { plaintext, sasl_plaintext, ssl, sasl_ssl };

// Whether clients are asked for certificates of their own.
enum class ClientAuth { none, requested, required };

// PEM files. Without a certificate the cluster makes its own: Cluster::tls_ca_file().
struct Tls {
  std::string certificate_file;
  std::string key_file;
  std::string client_ca_file;  // who signs the clients' certificates; empty: the cluster's own authority
  ClientAuth client_auth = ClientAuth::none;
};

// Whether the silence of outside clients during an advance() counts against them.
enum class Silence { stands, counts };

// Where the recording of a run goes. A recording that reaches its limit ends there and is partial.
struct Recording {
  enum class Where { off, memory, file };
  Where where = Where::memory;
  std::string path;
  std::uint64_t limit_bytes = 64ULL * 1024 * 1024;

  static Recording off() { return {Where::off, {}, 0}; }
  static Recording memory(std::uint64_t limit = 64ULL * 1024 * 1024) { return {Where::memory, {}, limit}; }
  static Recording file(std::string to, std::uint64_t limit = 256ULL * 1024 * 1024) {
    return {Where::file, std::move(to), limit};
  }
};

struct Options {
  std::uint64_t seed = 1;
  int brokers = 3;  // 1 … 64
  int first_broker_id = 1;
  Clock clock = Clock::flow;
  double rate = 1.0;  // of time in flow
  Drive drive = Drive::thread;
  std::vector<std::uint16_t> ports;  // by broker; 0 or missing: any free one
  Recording recording;

  SecurityProtocol security_protocol = SecurityProtocol::plaintext;
  std::vector<std::string> sasl_mechanisms;       // empty: PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512
  std::map<std::string, std::string> sasl_users;  // passwords by name
  Duration sasl_session_lifetime{0};              // then clients must log in again; 0: never
  Tls tls;

  int default_partitions = 1;
  int default_replication_factor = -1;  // -1: min(3, brokers)
  bool auto_create_topics = true;
  LogKind log_kind = LogKind::shared;
  bool single_replica = false;          // refuse any replication factor but 1
  bool crash_by_session = false;        // a crash is noticed when the session expires, not at once
  bool real_delays = false;             // links between brokers and services take time
  std::string profile;                  // release to behave like; empty: the newest
  std::map<std::string, int> features;  // levels to begin with where they are not the release's; 0: without
  std::string cluster_id;               // empty: drawn from the seed
  bool advertise_only_implemented = false;
  std::map<std::string, std::string> broker_configs;  // as in server.properties

  bool print_timeouts = true;  // wait_until() reports to standard error when its time is over
};

struct TopicSpec {
  int partitions = -1;          // -1: the default
  int replication_factor = -1;  // -1: the default
  std::map<std::string, std::string> configs;
};

// A partition as its leader has it; offsets are -1 while nobody leads.
struct Partition {
  std::string topic;
  int partition = 0;
  std::string topic_id;
  int leader = -1;
  int leader_epoch = -1;
  std::int64_t log_start = -1;
  std::int64_t leo = -1;  // log end offset
  std::int64_t hw = -1;   // high watermark
  std::int64_t lso = -1;  // last stable offset
  std::vector<int> isr;
  std::vector<int> replicas;
  bool writable = false;  // the leader has opened its log
};

// A group of consumers as its coordinator has it.
struct Group {
  struct Member {
    std::string member_id;
    std::string instance_id;  // empty: none
    std::string client_id;
  };
  struct Offset {
    std::string topic;
    int partition = 0;
    std::int64_t offset = -1;
    std::string metadata;
  };
  std::string id;
  std::string kind;   // "classic" or "consumer"; empty: there is no such group
  std::string state;  // "Empty", "Stable", …
  std::string protocol_type;
  int coordinator = -1;  // broker
  std::vector<Member> members;
  std::vector<Offset> offsets;  // committed
  // The committed offset of a partition, or -1.
  std::int64_t offset(const std::string& topic, int number) const {
    for (const Offset& committed : offsets) {
      if (committed.topic == topic && committed.partition == number) return committed.offset;
    }
    return -1;
  }
};

enum class BrokerStatus { running, paused, down };

// A violated invariant of the simulation itself: a bug in Wavetank, with what is needed to report it.
struct Finding {
  std::string check;
  std::string message;
  std::uint64_t step = 0;
  TimePoint time;
  std::string last_events;
};

// A request that was answered by closing its connection.
struct Refusal {
  int broker = -1;
  std::uint64_t connection = 0;
  std::string why;
  std::int64_t detail = 0;
  TimePoint time;
};

// What one of the next requests gets (RuleBuilder::answers).
struct Turn {
  Turn(const char* error_name) : error(error_name) {}             // NOLINT: a list of names reads best
  Turn(std::string error_name) : error(std::move(error_name)) {}  // NOLINT
  Turn(std::string error_name, Duration later) : error(std::move(error_name)), delay(later) {}
  std::string error;  // "NOT_COORDINATOR", "NONE", "close" or "drop"
  Duration delay = Duration::zero();
};

// A request that reached a broker (Cluster::requests).
struct Request {
  std::uint64_t number = 0;  // from 1, in the order in which they came
  TimePoint time;
  int broker = -1;
  std::uint64_t connection = 0;
  int api_key = -1;
  std::string api;
  int version = -1;
  std::string client_id;
  std::string topic;  // the first that it names
  int partition = -1;
  std::string group;
  std::string transactional_id;
};

namespace detail {
class ClusterImpl;
class ViewImpl;
}  // namespace detail

// An armed fault rule. Copies are the same rule. Outlives neither rule nor cluster: then calls throw.
class WAVETANK_API Rule {
 public:
  std::uint32_t id() const noexcept { return id_; }
  std::uint64_t hits() const;
  std::uint64_t passes() const;  // sites that matched the filters, hit or not
  std::uint64_t holding() const;
  // Hits until it is used up; nothing for a rule that always acts.
  std::optional<std::uint64_t> left() const;
  // Lets go what hold() holds now, or of it the `count` that wait longest.
  void release() const;
  void release(std::uint64_t count) const;
  // Disarms it, and releases what it holds. hits() is not known any more.
  void remove() const;
  // Waits until it was hit that often; false when the time (see Cluster::wait_until) is over.
  bool wait(std::uint64_t hits, Duration timeout) const;
  // Waits until it holds that many.
  bool wait_held(std::uint64_t count, Duration timeout) const;

 private:
  friend class RuleBuilder;
  friend class View;
  Rule(std::weak_ptr<detail::ClusterImpl> cluster, std::uint32_t id)
      : cluster_(std::move(cluster)), id_(id) {}
  std::weak_ptr<detail::ClusterImpl> cluster_;
  std::uint32_t id_;
};

// `sim.on("kafka.produce.appended").topic("orders").once().crash_leader()`: filters and counts first, in any
// order; an action arms the rule. docs/faults.md lists points and actions.
class WAVETANK_API RuleBuilder {
 public:
  RuleBuilder(RuleBuilder&&) noexcept;
  RuleBuilder& operator=(RuleBuilder&&) noexcept;
  ~RuleBuilder();

  // Whom it concerns.
  RuleBuilder& topic(std::string_view name);
  RuleBuilder& partition(int number);
  RuleBuilder& client_id(std::string_view id);
  RuleBuilder& group(std::string_view id);
  RuleBuilder& transactional_id(std::string_view id);
  RuleBuilder& api(std::string_view name);  // "Produce"
  RuleBuilder& api(int key);
  RuleBuilder& broker(int id);
  RuleBuilder& connection(std::uint64_t id);

  // Which of the passes. Without any of these: every one.
  RuleBuilder& once() { return times(1); }
  RuleBuilder& times(std::uint64_t count);
  RuleBuilder& skip(std::uint64_t count);
  RuleBuilder& nth(std::uint64_t number);        // from 1: only this one
  RuleBuilder& every(std::uint64_t number);      // that one, twice that one, …
  RuleBuilder& probability(double probability);  // 0 … 1, decided by the seed

  // Whatever happens happens so much later.
  RuleBuilder& after(Duration delay);

  // What happens.
  Rule observe();       // count
  Rule crash();         // kill the process that is there
  Rule crash_leader();  // kill the leader of the partition
  Rule crash_broker(int id);
  Rule pause();
  Rule move_leader(int to = -1);  // -1: any other broker
  Rule delay(Duration by);
  Rule hold();  // until release()
  Rule answer(int error_code);
  Rule answer(std::string_view error_name);  // "NOT_LEADER_OR_FOLLOWER", instead of the work
  Rule answer_after(int error_code);
  Rule answer_after(std::string_view error_name);  // does the work first
  // To the next requests in turn, one each: `answers({"NOT_COORDINATOR", {"NONE", 20ms}, "close"})`.
  Rule answers(const std::vector<Turn>& turns);
  Rule drop_request();
  Rule drop_answer();
  Rule close();
  Rule close_after();
  Rule refuse();        // a service call fails without effect
  Rule lose_answer();   // a service call has its effect, the caller is not told
  Rule lose_request();  // a service call has no effect, the caller is not told

 private:
  friend class Cluster;
  struct State;
  RuleBuilder(std::weak_ptr<detail::ClusterImpl> cluster, std::string_view point);
  Rule arm(std::string_view action);
  std::unique_ptr<State> state_;
};

// What a predicate sees: the cluster at one instant. Valid inside the predicate only.
class WAVETANK_API View {
 public:
  TimePoint now() const;
  bool has_topic(std::string_view topic) const;
  // Of an unknown one: leader -1 and offsets -1.
  Partition partition(std::string_view topic, int number) const;
  // Of an unknown one: kind empty, coordinator -1.
  Group group(std::string_view id) const;
  BrokerStatus broker(int id) const;
  std::uint64_t hits(const Rule& rule) const;
  std::uint64_t holding(const Rule& rule) const;
  std::size_t connections() const;

 private:
  friend class detail::ViewImpl;
  explicit View(detail::ViewImpl& impl) : impl_(impl) {}
  detail::ViewImpl& impl_;
};

class WAVETANK_API Cluster {
 public:
  // Returns once clients can connect. Throws Error when the options cannot be, or a port is taken.
  explicit Cluster(const Options& options = {});
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  // Ends the recording, closes the sockets. A finding that nobody asked for is printed.
  ~Cluster();

  // --- where clients connect ---
  std::string kafka_bootstrap() const;  // "127.0.0.1:…,127.0.0.1:…"
  std::string broker_address(int id) const;
  std::vector<int> brokers() const;
  // With TLS and a certificate of the cluster's own: whom clients have to trust, and a certificate with its
  // key for clients that are asked for one. Paths of PEM files that live as long as the cluster; else empty.
  std::string tls_ca_file() const;
  std::string tls_client_file() const;

  // --- topics ---
  void create_topic(const std::string& name, const TopicSpec& spec = {});
  void delete_topic(const std::string& name);
  std::vector<std::string> topics() const;
  Partition partition(const std::string& topic, int number) const;

  // --- groups ---
  std::vector<std::string> groups() const;
  // Throws Error{not_found} when there is no such group, or its coordinator is not there.
  Group group(const std::string& id) const;

  // --- processes ---
  void crash(int broker);    // memory gone, connections broken, port refused
  void stop(int broker);     // as SIGTERM: others take its leaders over first
  void restart(int broker);  // on the same port
  void pause(int broker);    // as SIGSTOP
  void resume(int broker);
  BrokerStatus broker_status(int broker) const;
  void crash_controller();
  void restart_controller();
  // -1: any other broker.
  void move_leader(const std::string& topic, int partition, int to = -1);

  // --- time ---
  TimePoint now() const;
  void advance(Duration by, Silence silence = Silence::stands);
  // Waits until the predicate holds at the end of a turn. False when the time is over: virtual time, or with
  // a frozen clock the wall clock's; then the report says who waits for whom. What the predicate throws comes
  // out here; calls of the cluster inside it throw would_deadlock: use the view.
  bool wait_until(const std::function<bool(const View&)>& predicate, Duration timeout);
  std::string waiting_report() const;
  // Drive::caller: one turn that waits at most so long.
  void pump(Duration at_most = Duration::zero());

  // --- faults ---
  RuleBuilder on(std::string_view point);
  std::vector<std::string> points() const;
  void remove_rules();
  // Breaks one connection of a client; ids are those of refusals() and of the control API.
  void reset_connection(std::uint64_t connection);

  // --- what clients meet ---
  // Whoever leads the partition of its key; type "group" or "transaction". not_found before the first client
  // has looked for a coordinator. -1: any other broker.
  void move_coordinator(std::string_view type, std::string_view key, int to = -1);
  int coordinator(std::string_view type, std::string_view key) const;
  // Another leader for every partition that can have one, of a topic or of all; how many moved.
  std::size_t move_leaders(const std::string& topic = {});
  // Answers of a broker (-1: of all) come so much later; requests do not wait for each other.
  void set_round_trip(int broker, Duration delay);
  // Clients lose their connections to the broker and get no new ones; nobody else notices.
  void close_port(int broker);
  void open_port(int broker);
  // What ApiVersions tells and brokers take of an API; -1 and -1: nothing.
  void set_api_versions(std::string_view api, int min, int max);
  void reset_api_versions();
  // From now on the last `limit` requests are listed; 0: no more.
  void track_requests(std::size_t limit = 10'000);
  std::vector<Request> requests() const;
  void clear_requests();

  // --- any call as JSON, as the control API has them (docs/control-api.md) ---
  std::string execute(std::string_view request);
  std::string query(std::string_view request) const;

  // --- what happened ---
  std::optional<Finding> finding() const;
  std::vector<Refusal> refusals() const;
  std::uint64_t trace_hash() const;
  // The file, or empty.
  std::string recording_path() const;
  // All bytes recorded so far, when recording to memory.
  std::string recording() const;
  // Both throw incomplete when the recording misses something.
  void flush_recording();
  // Completes the recording here: what happens later is not in it.
  void stop_recording();

 private:
  std::shared_ptr<detail::ClusterImpl> impl_;
};

// A recording repeated without sockets.
struct Replay {
  bool equal = false;     // all that was recorded came out again
  bool complete = false;  // the recording reaches its end
  std::uint64_t hash = 0;
  std::uint64_t events = 0;
  std::string text;  // the first difference, or why it is not complete
};
WAVETANK_API Replay replay_file(const std::string& path);
WAVETANK_API Replay replay_bytes(std::string_view recording);

}  // namespace v1
}  // namespace wavetank
