// One running cluster behind real sockets, with its recording: what the C++ and C interfaces, the control
// API and the program share. All calls are JSON texts (sim/cluster/commands.h).
//
// Any thread may call; calls run one after the other on the driver's thread. Nothing here throws.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/embed/simulated_cluster.h"
#include "harness/embed/tls_files.h"
#include "harness/gateway/driver.h"

namespace wt::harness {

struct RecordingOptions {
  enum class Where : std::uint8_t { off, memory, file };
  Where where = Where::memory;
  std::string path;                                 // of a file
  std::uint64_t limit_bytes = 64ULL * 1024 * 1024;  // then the recording is partial
};

struct SessionOptions {
  // With a clock that starts at the wall clock, epoch_ns is set by start().
  cluster::ClusterOptions cluster;
  ClockMode clock = ClockMode::flow;
  double rate = 1.0;
  Drive drive = Drive::thread;
  std::vector<std::uint16_t> ports;  // by broker; 0 or missing: any free one
  TlsOptions tls;                    // counts when the security protocol has TLS
  // Links between nodes take time, as in a data centre, instead of none.
  bool real_delays = false;
  RecordingOptions recording;
  // Dynamic configs of all brokers, set before anybody connects.
  std::map<std::string, std::string> broker_configs;
  // Configs that Kafka reads at its start and that mean nothing here; worth a warning.
  std::vector<std::string> without_effect;
};

// Takes one config as a broker's properties file has it: where the cluster has an option of that meaning,
// sets it, else keeps it as a dynamic config of all brokers; one that Kafka reads at its start only and that
// Wavetank has no use for goes to `without_effect`. "ID:broker.rack" is the rack of one broker; set the
// number of brokers first. InvalidArgument with a sentence when Kafka has no such config or the value is not
// one.
Status apply_broker_config(SessionOptions& options, const std::string& key, const std::string& value);

struct BrokerAddress {
  std::int32_t broker = -1;
  std::string address;  // host:port; empty without sockets
};

class Session {
 public:
  // Up when this returns: listening, controller active, brokers ready. A sentence when it cannot.
  static StatusOr<std::unique_ptr<Session>> start(SessionOptions options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();
  // Ends the recording and closes the sockets. Harmless when repeated.
  void stop();

  const SessionOptions& options() const noexcept { return options_; }
  Driver& driver() noexcept { return *driver_; }
  const std::vector<BrokerAddress>& addresses() const noexcept { return addresses_; }
  std::string bootstrap() const;
  // What clients need when the cluster has made its own certificates; null otherwise.
  const TlsFiles* tls_files() const noexcept { return tls_files_.get(); }

  // Waits for an answer that is pending, at most so long on the wall clock (with a clock that flows faster,
  // that much of its time). A call that could not be made is answered with an error too.
  std::string execute(std::string request, DurationNs wait_ns = 30 * kSecond_ns);
  std::string query(std::string request);
  Status advance(DurationNs by_ns, bool silence_counts = false);
  TimeNs now();
  std::uint64_t trace_hash();

  // For use on the driver's thread, inside Driver::call or wait_until.
  SimulatedCluster& simulated() noexcept { return simulated_; }

  // Who waits for whom, and when something would happen next: for the report of a wait that took too long.
  std::string waiting_report();

  // --- recording ---
  const RecordingOptions& recording() const noexcept { return options_.recording; }
  // What there is so far of a recording in memory.
  Slice recorded() const;
  Status flush_recording();
  // Completes the recording here; what happens later is not in it.
  Status stop_recording();
  // Why the recording cannot be complete any more: its limit, or a file that cannot be written. Ok while it
  // can, and without a recording. The run goes on in any case.
  Status recording_problem();

 private:
  explicit Session(SessionOptions options);
  Status begin();
  Status begin_tls(DriverOptions& driver);
  std::string with_turned_away(const std::string& refusals) const;
  Status settle();
  Status set_broker_configs();
  std::string finish_pending(std::string answer, DurationNs wait_ns);

  SessionOptions options_;
  SimulatedCluster simulated_;
  std::shared_ptr<MemorySink::Buffer> buffer_;
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<TlsFiles> tls_files_;
  std::unique_ptr<Driver> driver_;
  std::vector<BrokerAddress> addresses_;
};

}  // namespace wt::harness
