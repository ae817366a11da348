// The kernel: one virtual clock, one queue of events, one trace. Everything in a simulation hangs
// off one Kernel; several can live in a host process, each on one thread at a time.
//
// A run is a function of (options, seed, inputs and the step and time at which they came in).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/kernel/event_queue.h"
#include "sim/kernel/finding.h"
#include "sim/kernel/process.h"
#include "sim/kernel/random.h"
#include "sim/kernel/ready_policy.h"
#include "sim/kernel/trace.h"

namespace wt {

struct KernelOptions {
  std::uint64_t seed = 1;
  TimeNs epoch_ns = kDefaultEpoch_ns;  // where the clock starts
  ReadyPolicyOptions ready;
  std::size_t trace_ring_records = 4096;
  std::uint64_t checkpoint_steps = 1000;         // steps between two checkpoints
  std::size_t max_checkpoints = 65536;           // then every second one is dropped
  std::uint64_t max_events_at_once = 1'000'000;  // more at one instant is a finding
};

// Whether timers of kind `silence` move during a run forward in time.
enum class SilenceClock : std::uint8_t { runs, stands };

class Kernel {
 public:
  explicit Kernel(const KernelOptions& options);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  ~Kernel();

  TimeNs now() const noexcept { return now_ns_; }
  TimeNs epoch() const noexcept { return options_.epoch_ns; }
  std::uint64_t seed() const noexcept { return options_.seed; }
  // Events run so far.
  std::uint64_t steps() const noexcept { return steps_; }

  // --- processes ---
  Process& create_process(std::string name);
  // Null when the process is dead or was never created.
  Process* process(ProcessId id) noexcept;
  // See process.h. Killing a dead process does nothing.
  void kill(ProcessId id);
  std::string_view process_name(ProcessId id) const noexcept;
  // A paused process runs nothing; what becomes due meanwhile runs, in order, when it is resumed.
  void pause(ProcessId id);
  void resume(ProcessId id);
  // Called when a process dies, after it was marked dead and before its frames are destroyed. The
  // callback stays until forget_death with the number returned here.
  std::uint64_t on_death(std::function<void(ProcessId)> callback);
  void forget_death(std::uint64_t callback);
  // Ends every process, newest first, as the destructor does: no callback is told. An object that
  // frames refer to (a network, fault rules) calls this in its destructor, because it is destroyed
  // before the kernel that owns the frames. Not for use while an event runs.
  void shut_down() noexcept;

  // --- events of the world outside all processes ---
  // `park_tag` names what a park timer belongs to, such as the connection whose request waits; 0: nothing.
  EventId schedule_at(ProcessId process, TimeNs due_ns, TimerKind kind, EventFunction run, void* context,
                      std::uint64_t argument, std::uint64_t park_tag = 0);
  EventId schedule_now(ProcessId process, EventFunction run, void* context, std::uint64_t argument);
  // Clears the id. Harmless when the event has run or was cancelled before.
  void cancel(EventId& id);

  // --- running ---
  // Runs events due at or before `limit_ns` and leaves the clock there. Stops at a finding.
  void run_until(TimeNs limit_ns, SilenceClock silence = SilenceClock::runs);
  // Runs what is ready at this instant.
  void run_ready() { run_until(now_ns_); }
  // Runs one event due at or before `limit_ns`; false when there is none or a finding stopped the run.
  bool step(TimeNs limit_ns, SilenceClock silence = SilenceClock::runs);
  // Runs until nothing is scheduled, the limit is passed, or `done` holds after an event.
  bool run_until_condition(const std::function<bool()>& done, TimeNs limit_ns);
  // When the next event is due, or kNever_ns. Not later than now when something is ready.
  TimeNs next_due();
  std::size_t pending_events() const noexcept { return slab_.live(); }

  // For event functions only: runs a suspended frame of the event's own process, in this event.
  void resume(std::coroutine_handle<> frame) { resume_chain(frame); }
  // For event functions of the world: runs a suspended frame of `process` in this event when nothing
  // else runs, else as an event of its own, which is returned. The frame must not be waited on elsewhere.
  EventId resume_in(Process& process, std::coroutine_handle<> frame);

  // While it exists, code of `process` is on the stack although no event of that process runs: should it
  // be killed by that code, it is destroyed only when the last such code has returned.
  class Visit {
   public:
    Visit(Kernel& kernel, Process& process) noexcept
        : kernel_(kernel), outer_(std::exchange(kernel.running_, &process)) {}
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() {
      kernel_.running_ = outer_;
      if (outer_ == nullptr && kernel_.killing_ == 0) kernel_.bury();
    }

   private:
    Kernel& kernel_;
    Process* outer_;
  };

  // --- park timers (docs/clock.md) ---
  struct Parked {
    std::uint64_t id;  // the event's sequence number
    TimeNs created_ns;
    TimeNs due_ns;
    std::uint64_t tag;  // as given to schedule_at
  };
  // Pending timers of kind park, by id.
  std::vector<Parked> parked();
  std::size_t parked_count() const noexcept { return parked_.size(); }
  // Runs a park timer early, as an event of now; false when it is not pending any more.
  bool expire_park(std::uint64_t id);

  // --- random, trace, findings ---
  RandomStream& random(Label name);
  std::uint64_t total_draws() const noexcept;
  Trace& trace() noexcept { return trace_; }
  void record(ProcessId actor, Label label, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0);
  void add_digest(std::function<std::uint64_t()> digest) { digests_.push_back(std::move(digest)); }
  const std::vector<Checkpoint>& checkpoints() const noexcept { return checkpoints_; }
  const std::optional<Finding>& finding() const noexcept { return finding_; }
  // The first one sticks.
  void report(std::string check, std::string message, ProcessId process);
  std::string last_events_text(std::size_t most);
  const std::vector<std::uint32_t>& ready_choices() const noexcept { return policy_.choices(); }
  // Runs `action` (code outside any event, such as a call of the embedding test) and turns a violated
  // invariant in it into a finding.
  void guarded(const std::function<void()>& action);

 private:
  friend class Process;
  friend void task_detail::set_next(Process&, std::coroutine_handle<>) noexcept;
  friend void task_detail::root_finished(task_detail::PromiseBase&) noexcept;

  std::uint32_t new_node(ProcessId process, EventFunction run, void* context, std::uint64_t argument);
  TimeNs silent_top_due() const noexcept;
  EventHeap* due_heap(TimeNs limit_ns);
  void drop_dead_ready();
  TimeNs silence_now() const noexcept { return now_ns_ - silence_shift_ns_; }
  void advance_clock(TimeNs to_ns);
  bool run_next(TimeNs limit_ns);
  std::uint32_t take(EventHeap& heap);
  void gather_ready(TimeNs limit_ns);
  std::int64_t next_fifo(TimeNs limit_ns);
  std::int64_t next_slot(TimeNs limit_ns);
  std::int64_t choose_ready();
  void run_node(std::uint32_t slot);
  bool put_aside(std::uint32_t slot);
  void forget_paused(ProcessId id);
  ProcessId running_id() const noexcept { return running_ != nullptr ? running_->id() : 0; }
  void resume_chain(std::coroutine_handle<> first);
  void settle();
  void bury();
  void checkpoint();
  static void resume_event(void* frame, std::uint64_t kernel);

  KernelOptions options_;
  TimeNs now_ns_;
  DurationNs silence_shift_ns_ = 0;  // how far the silence clock is behind
  bool silence_stands_ = false;
  std::uint64_t steps_ = 0;
  std::uint64_t next_sequence_ = 1;
  std::uint64_t steps_at_instant_ = 0;

  EventSlab slab_;
  EventHeap timed_{slab_, EventState::timed};
  EventHeap silent_{slab_, EventState::silent};
  std::vector<EventRef> ready_;  // FIFO: [ready_head_, size)
  std::size_t ready_head_ = 0;
  std::vector<ProcessId> owners_;  // of the ready events, while one is chosen
  ReadyPolicy policy_;

  std::vector<std::unique_ptr<Process>> processes_;  // by id; null once buried
  std::vector<std::string> process_names_;
  std::map<std::uint64_t, std::function<void(ProcessId)>> death_callbacks_;
  std::uint64_t next_callback_ = 1;
  std::map<ProcessId, std::vector<EventRef>> paused_;  // by process: what became due meanwhile
  std::vector<ProcessId> doomed_;                      // dead, frames not yet destroyed
  std::uint32_t killing_ = 0;                          // kills whose callbacks are running
  Process* running_ = nullptr;                         // whose frame is on the stack
  std::coroutine_handle<> next_;
  std::vector<task_detail::PromiseBase*> finished_roots_;

  struct ParkInfo {
    EventId event;
    TimeNs created_ns;
    std::uint64_t tag;
  };
  std::map<std::uint64_t, ParkInfo> parked_;

  std::map<std::uint64_t, RandomStream> streams_;
  Trace trace_;
  std::vector<std::function<std::uint64_t()>> digests_;
  std::vector<Checkpoint> checkpoints_;
  std::uint64_t checkpoint_interval_;
  std::uint64_t next_checkpoint_step_;
  std::optional<Finding> finding_;
};

inline TimeNs Process::now() const noexcept {
  return kernel_.now();
}

}  // namespace wt
