// The gateway: real sockets in front of a simulation, driven by one thread.
//
// One turn: wait for sockets, calls or the next deadline; move virtual time (clock modes: wall_clock.h and
// docs/clock.md) and run what is due; run calls from the mailbox, one after the other, each with all that
// it sets off at this instant; read from the sockets, write what came to the recording, give it to the
// simulation and run until nothing is left at this instant; send what came of it.
//
// Everything that the outside decides goes to the recording before it has an effect (harness/journal), so
// that replay() repeats the run without sockets.
//
// Threads: with Drive::thread the driver has a thread of its own, with signals blocked, and every function
// marked "any thread" may be called from anywhere else. With Drive::caller there is no thread: the thread
// that called start() calls pump(), and calls made on it run at once.
#pragma once

#include <atomic>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "harness/gateway/connection.h"
#include "harness/gateway/listener.h"
#include "harness/gateway/mailbox.h"
#include "harness/gateway/parks.h"
#include "harness/gateway/wall_clock.h"
#include "harness/journal/recorder.h"

namespace wt::harness {

enum class Drive : std::uint8_t {
  thread,  // a thread of the driver's own
  caller,  // whoever calls pump()
};

struct DriverOptions {
  ClockMode clock = ClockMode::flow;
  double rate = 1.0;  // of virtual time in flow
  Drive drive = Drive::thread;
  bool listen = true;
  std::string host = "127.0.0.1";
  std::vector<std::uint16_t> ports;  // by listener; 0 or missing: any free port
  std::size_t max_connections = 10'000;
  std::size_t read_limit_bytes = 256 * 1024;    // of one connection and turn
  std::size_t max_backlog_bytes = 1024 * 1024;  // unread by the simulation: stop reading
  std::uint64_t output_window_bytes =
      kDefaultOutputWindow_bytes;                   // queued for a client: hold the simulation back …
  std::size_t unblocked_below_bytes = 1024 * 1024;  // … until this little is left
  DurationNs park_release_wall_ns = 100 * kMillisecond_ns;  // frozen clock: longest real wait of a request
  int gather_rounds = 3;                  // how often sockets are asked again before what came is worked on
  std::shared_ptr<const TlsContext> tls;  // of all listeners; null: plain text
  std::string options_json = "{}";        // of the whole simulation, for the head of the recording
};

struct DriverStats {
  std::uint64_t turns = 0;
  std::uint64_t connections_accepted = 0;
  std::uint64_t connections_turned_away = 0;  // over the limit, or no descriptor was left
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_bytes = 0;
  std::size_t open_connections = 0;
};

// A connection that was broken off because its bytes made no sense to the gateway.
struct TurnedAway {
  ConnectionId connection = 0;
  std::size_t listener = 0;
  std::string why;
  TimeNs time_ns = 0;
};

class Driver final : private OutputReceiver {
 public:
  // Simulation, clock and recorder must outlive the driver. No recorder: nothing is written down.
  Driver(Simulated& simulated, const DriverOptions& options, WallClock& wall, Recorder* recorder);
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  ~Driver() override;

  // Binds the ports, tells the simulation its addresses, writes the head of the recording, begins.
  Status start();
  // Ends the recording, closes the sockets, joins the thread. Calls that wait answer Unavailable. Harmless
  // when repeated. From the thread that called start().
  void stop();
  // One turn that waits at most so long. Drive::caller only. False after stop().
  bool pump(DurationNs at_most_wall_ns);

  // --- any thread ---
  // Runs `work` between two steps, as a read-only question: it must not change the simulation, and leaves
  // no mark in the recording. post() does not wait, its work must not throw; false after stop().
  bool post(std::function<void()> work);
  // The same and waits for the result: StatusOr<R>, or Status when it gives none.
  template <class Work>
  auto call(Work work);
  // A call that may change the simulation. Goes to the recording; returns once all that it set off at this
  // instant has happened. Unavailable after stop(), FailedPrecondition after a finding.
  StatusOr<std::string> execute(std::string request);
  // Jumps; timers that wait for an outside client's silence stand still unless `silence_counts`. Returns
  // once the clock is there. Cancelled when stop() came first.
  Status advance(DurationNs by_ns, bool silence_counts = false);
  // Waits until `done` holds at the end of a turn (it runs on the driver's thread; what it throws is thrown
  // here): true, or false when the time is over. The time is
  // virtual; with a frozen clock it is the wall clock's. With a virtual clock this is what makes time pass.
  StatusOr<bool> wait_until(std::function<bool()> done, DurationNs timeout_ns);

  // By listener, fixed after start() except that listeners may be added.
  std::vector<ListenerAddress> addresses() const;
  DriverStats stats();

  // The last ones, oldest first. On the driver's thread only: inside call() or post().
  const std::deque<TurnedAway>& turned_away() const noexcept { return turned_away_; }

 private:
  struct Input {
    EntryKind kind;
    ConnectionId connection;
    Slice bytes;
  };
  struct Watcher {
    std::function<bool()> done;
    TimeNs deadline_ns;  // virtual, or with a frozen clock of the wall
    std::shared_ptr<std::promise<bool>> result;
  };

  // driver.cc: life and turns
  Status open_listener(std::size_t index);
  JournalHead journal_head() const;
  void run_thread();
  void turn(DurationNs at_most_wall_ns);
  DurationNs longest_wait(DurationNs at_most_wall_ns);
  void end_turn();
  void check_watchers();
  void poll_listening();
  void on_finding();
  void stop_listening();
  void finish();

  // driver_calls.cc: what comes through the mailbox
  bool submit(Mailbox::Work work);
  void run_mailbox();
  template <class Future>
  void await(Future& future);
  bool inside() const;
  void do_execute(const std::string& request, std::promise<StatusOr<std::string>>& result);
  void do_advance(DurationNs by_ns, bool silence_counts);
  void add_listeners();
  void release_parks(bool only_queued);

  // driver_sockets.cc: what comes through sockets
  std::span<const Poller::Ready> wait_for_sockets(DurationNs at_most_wall_ns);
  void gather(std::span<const Poller::Ready> ready);
  void accept_from(Listener& listener);
  void turn_away(Listener& listener);
  void on_ready(Connection& connection, std::uint32_t events);
  void read_from(Connection& connection);
  void note_refusal(const Connection& connection);
  void give_inputs();
  void give(const Input& input);
  void on_outputs(std::vector<Output>& outputs) override;
  void mark_dirty(Connection& connection);
  bool outputs_left() const { return !dirty_.empty() || !inputs_.empty() || !caught_up_.empty(); }
  void work_off_outputs();
  void send_all();
  void send(Connection& connection);
  void unblock();
  void check_backlogs();
  void drop(Connection& connection, bool abort);
  void begin_batch();

  const DriverOptions options_;
  WallClock& wall_;
  Recorder* recorder_;
  Boundary boundary_;
  Kernel& kernel_;
  Streams& streams_;
  Pacer pacer_;
  ParkWatch parks_;

  Poller poller_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::map<ConnectionId, std::unique_ptr<Connection>> connections_;
  std::vector<std::unique_ptr<Connection>> dropped_;  // freed at the end of the turn
  std::vector<Connection*> dirty_;
  std::vector<Connection*> touched_;     // given input in this turn
  std::vector<ConnectionId> caught_up_;  // blocked until now; their clients have read
  std::vector<Connection*> paused_;      // not read from until the simulation has caught up
  std::vector<Input> inputs_;
  std::vector<Slice> pieces_;
  ReadBuffer read_buffer_;
  int spare_descriptor_ = -1;  // given up for a moment to turn a connection away when none is left

  Mailbox mailbox_;
  std::vector<std::function<void()>> after_turn_;
  std::vector<Watcher> watchers_;
  std::thread thread_;
  std::atomic<std::thread::id> owner_;
  std::atomic<bool> stopping_ = false;
  bool started_ = false;
  bool in_turn_ = false;
  bool over_ = false;              // finding reported or finished: no more inputs
  bool jump_interrupted_ = false;  // the recording cannot be complete
  mutable std::mutex addresses_mutex_;
  std::vector<ListenerAddress> addresses_;
  DriverStats stats_;
  std::deque<TurnedAway> turned_away_;
};

}  // namespace wt::harness

#include "harness/gateway/driver_call.h"
