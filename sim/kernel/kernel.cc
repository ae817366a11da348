#include "sim/kernel/kernel.h"

#include <algorithm>

namespace wt {

Kernel::Kernel(const KernelOptions& options)
    : options_(options),
      now_ns_(options.epoch_ns),
      policy_(options.ready, options.seed),
      trace_(options.trace_ring_records),
      checkpoint_interval_(std::max<std::uint64_t>(1, options.checkpoint_steps)),
      next_checkpoint_step_(checkpoint_interval_) {
  processes_.emplace_back();  // id 0: the world
  process_names_.emplace_back("world");
}

Kernel::~Kernel() {
  shut_down();
}

void Kernel::shut_down() noexcept {
  // Newest first, as a crash would: parts of older processes may be referred to by newer ones. All are
  // marked before the first is destroyed, so that no destructor can act on a process that goes later.
  for (std::size_t id = processes_.size(); id-- > 1;) {
    if (processes_[id]) processes_[id]->alive_ = false;
  }
  finished_roots_.clear();
  doomed_.clear();
  next_ = nullptr;
  for (std::size_t id = processes_.size(); id-- > 1;) processes_[id].reset();
  while (!paused_.empty()) forget_paused(paused_.begin()->first);
}

// --- processes ---

Process& Kernel::create_process(std::string name) {
  const auto id = static_cast<ProcessId>(processes_.size());
  process_names_.push_back(name);
  processes_.push_back(std::make_unique<Process>(*this, id, std::move(name)));
  record(id, "process.start"_label);
  return *processes_.back();
}

Process* Kernel::process(ProcessId id) noexcept {
  if (id == 0 || id >= processes_.size() || !processes_[id] || !processes_[id]->alive_) return nullptr;
  return processes_[id].get();
}

std::string_view Kernel::process_name(ProcessId id) const noexcept {
  return id < process_names_.size() ? std::string_view(process_names_[id]) : std::string_view("?");
}

void Kernel::kill(ProcessId id) {
  Process* victim = process(id);
  if (victim == nullptr) return;
  record(id, "process.kill"_label);
  victim->alive_ = false;
  doomed_.push_back(id);
  forget_paused(id);
  // A callback can kill others and register or forget callbacks: everybody is told before any frame of
  // any victim goes.
  ++killing_;
  for (auto it = death_callbacks_.begin(); it != death_callbacks_.end();) {
    const std::uint64_t number = it->first;
    const std::function<void(ProcessId)> callback = it->second;
    callback(id);
    it = death_callbacks_.upper_bound(number);
  }
  --killing_;
  if (running_ == nullptr && killing_ == 0) bury();
}

std::uint64_t Kernel::on_death(std::function<void(ProcessId)> callback) {
  const std::uint64_t number = next_callback_++;
  death_callbacks_.emplace(number, std::move(callback));
  return number;
}

void Kernel::forget_death(std::uint64_t callback) {
  death_callbacks_.erase(callback);
}

// Events put aside are in no queue that would drop them later.
void Kernel::forget_paused(ProcessId id) {
  auto found = paused_.find(id);
  if (found == paused_.end()) return;
  for (const EventRef& ref : found->second) {
    if (slab_.waits(ref.slot, ref.sequence, EventState::paused)) slab_.release(ref.slot);
  }
  paused_.erase(found);
}

void Kernel::pause(ProcessId id) {
  if (process(id) == nullptr || paused_.contains(id)) return;
  record(id, "process.pause"_label);
  paused_[id];
}

void Kernel::resume(ProcessId id) {
  auto found = paused_.find(id);
  if (found == paused_.end()) return;
  if (process(id) != nullptr) record(id, "process.resume"_label);
  for (const EventRef& ref : found->second) {
    if (!slab_.waits(ref.slot, ref.sequence, EventState::paused)) continue;
    slab_[ref.slot].state = EventState::ready;
    ready_.push_back(ref);
  }
  paused_.erase(found);
}

// Keeps an event of a paused process for later.
bool Kernel::put_aside(std::uint32_t slot) {
  EventNode& node = slab_[slot];
  if (paused_.empty() || process(node.process) == nullptr) return false;
  auto found = paused_.find(node.process);
  if (found == paused_.end()) return false;
  if (node.kind == TimerKind::park) parked_.erase(node.sequence);
  node.state = EventState::paused;
  found->second.push_back({slot, node.sequence});
  return true;
}

void Kernel::bury() {
  while (!doomed_.empty()) {
    const ProcessId id = doomed_.back();
    doomed_.pop_back();
    std::unique_ptr<Process> dead = std::move(processes_[id]);
    std::erase_if(finished_roots_, [&dead](const auto* promise) { return promise->process == dead.get(); });
    if (next_ && running_ == dead.get()) next_ = nullptr;
    dead.reset();
  }
}

// --- scheduling ---

std::uint32_t Kernel::new_node(ProcessId process, EventFunction run, void* context, std::uint64_t argument) {
  const std::uint32_t slot = slab_.allocate();
  EventNode& node = slab_[slot];
  node.sequence = next_sequence_++;
  node.run = run;
  node.context = context;
  node.argument = argument;
  node.process = process;
  node.kind = TimerKind::protocol;
  return slot;
}

EventId Kernel::schedule_at(ProcessId process, TimeNs due_ns, TimerKind kind, EventFunction run,
                            void* context, std::uint64_t argument, std::uint64_t park_tag) {
  const std::uint32_t slot = new_node(process, run, context, argument);
  EventNode& node = slab_[slot];
  node.kind = kind;
  const EventId id{slot, node.generation};
  if (kind == TimerKind::silence) {
    node.state = EventState::silent;
    node.due_ns = due_ns > now_ns_ ? saturating_add(silence_now(), due_ns - now_ns_) : silence_now();
    silent_.push(slot);
    return id;
  }
  node.state = EventState::timed;
  node.due_ns = std::max(due_ns, now_ns_);
  if (kind == TimerKind::park) parked_.emplace(node.sequence, ParkInfo{id, now_ns_, park_tag});
  timed_.push(slot);
  return id;
}

EventId Kernel::schedule_now(ProcessId process, EventFunction run, void* context, std::uint64_t argument) {
  const std::uint32_t slot = new_node(process, run, context, argument);
  EventNode& node = slab_[slot];
  node.state = EventState::ready;
  node.due_ns = now_ns_;
  ready_.push_back({slot, node.sequence});
  return {slot, node.generation};
}

void Kernel::cancel(EventId& id) {
  EventNode* node = slab_.find(id);
  const std::uint32_t slot = id.slot;
  id = {};
  if (node == nullptr) return;
  const EventState was = node->state;
  if (node->kind == TimerKind::park) parked_.erase(node->sequence);
  slab_.release(slot);
  if (was == EventState::timed) timed_.on_removed();
  if (was == EventState::silent) silent_.on_removed();
}

// --- running ---

// When the first timer of kind silence is due on the kernel's clock, or kNever_ns.
TimeNs Kernel::silent_top_due() const noexcept {
  const TimeNs due_ns = silent_.top_due();
  if (due_ns == kNever_ns) return kNever_ns;
  // While the silence clock stands its timers become due only if they already were.
  if (silence_stands_) return due_ns <= silence_now() ? now_ns_ : kNever_ns;
  return std::max(now_ns_, saturating_add(due_ns, silence_shift_ns_));
}

// The heap with the first event due at or before the limit; what is due at kNever_ns never is.
EventHeap* Kernel::due_heap(TimeNs limit_ns) {
  EventHeap* best = nullptr;
  TimeNs best_due_ns = kNever_ns;
  if (timed_.peek() >= 0) {
    best_due_ns = timed_.top_due();
    if (best_due_ns <= limit_ns && best_due_ns != kNever_ns) best = &timed_;
  }
  if (silent_.peek() >= 0) {
    const TimeNs due_ns = silent_top_due();
    const bool earlier = best == nullptr || due_ns < best_due_ns ||
                         (due_ns == best_due_ns && silent_.top_sequence() < timed_.top_sequence());
    if (due_ns <= limit_ns && due_ns != kNever_ns && earlier) best = &silent_;
  }
  return best;
}

void Kernel::advance_clock(TimeNs to_ns) {
  if (to_ns <= now_ns_) return;
  if (silence_stands_) silence_shift_ns_ += to_ns - now_ns_;
  now_ns_ = to_ns;
  steps_at_instant_ = 0;
}

// Takes the first event of a heap, moving the clock to it.
std::uint32_t Kernel::take(EventHeap& heap) {
  const auto slot = static_cast<std::uint32_t>(heap.peek());
  advance_clock(&heap == &silent_ ? silent_top_due() : heap.top_due());
  heap.pop();
  slab_[slot].state = EventState::ready;
  return slot;
}

// Moves every event that is due at the earliest instant into the ready list.
void Kernel::gather_ready(TimeNs limit_ns) {
  drop_dead_ready();
  if (ready_head_ < ready_.size()) limit_ns = now_ns_;
  while (EventHeap* heap = due_heap(limit_ns)) {
    const std::uint32_t slot = take(*heap);
    ready_.push_back({slot, slab_[slot].sequence});
    limit_ns = now_ns_;
  }
}

// Drops cancelled events from the head of the ready list.
void Kernel::drop_dead_ready() {
  while (ready_head_ < ready_.size() &&
         !slab_.waits(ready_[ready_head_].slot, ready_[ready_head_].sequence, EventState::ready)) {
    ++ready_head_;
  }
  if (ready_head_ == ready_.size()) {
    ready_.clear();
    ready_head_ = 0;
  } else if (ready_head_ >= 4096 && ready_head_ * 2 > ready_.size()) {
    ready_.erase(ready_.begin(), ready_.begin() + static_cast<std::ptrdiff_t>(ready_head_));
    ready_head_ = 0;
  }
}

// In order of scheduling among all that is due now, so that a task that yields in a loop cannot keep a
// timer of this instant waiting.
std::int64_t Kernel::next_fifo(TimeNs limit_ns) {
  drop_dead_ready();
  const bool ready = ready_head_ < ready_.size();
  EventHeap* heap = due_heap(ready ? now_ns_ : limit_ns);
  if (!ready) return heap == nullptr ? -1 : std::int64_t{take(*heap)};
  const EventRef first = ready_[ready_head_];
  if (heap != nullptr && heap->top_sequence() < first.sequence) return take(*heap);
  ++ready_head_;
  return first.slot;
}

std::int64_t Kernel::next_slot(TimeNs limit_ns) {
  if (policy_.is_fifo()) return next_fifo(limit_ns);
  gather_ready(limit_ns);
  return choose_ready();
}

std::int64_t Kernel::choose_ready() {
  std::erase_if(ready_, [this](const EventRef& ref) {
    return !slab_.waits(ref.slot, ref.sequence, EventState::ready);
  });
  ready_head_ = 0;  // what was before it is dead and gone
  if (ready_.empty()) return -1;
  std::size_t index = 0;
  if (ready_.size() > 1) {
    owners_.clear();
    for (const EventRef& ref : ready_) owners_.push_back(slab_[ref.slot].process);
    index = policy_.choose(owners_, steps_);
  }
  const std::uint32_t slot = ready_[index].slot;
  ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(index));
  return slot;
}

bool Kernel::step(TimeNs limit_ns, SilenceClock silence) {
  silence_stands_ = silence == SilenceClock::stands;
  const bool ran = run_next(limit_ns);
  silence_stands_ = false;
  return ran;
}

bool Kernel::run_next(TimeNs limit_ns) {
  if (finding_) return false;
  const std::int64_t slot = next_slot(limit_ns);
  if (slot < 0) return false;
  run_node(static_cast<std::uint32_t>(slot));
  return !finding_;
}

void Kernel::run_node(std::uint32_t slot) {
  if (put_aside(slot)) return;
  const EventNode node = slab_[slot];
  if (node.kind == TimerKind::park) parked_.erase(node.sequence);
  slab_.release(slot);
  if (node.process != 0 && process(node.process) == nullptr) return;
  ++steps_;
  trace_.fold_event(now_ns_, node.sequence);
  if (++steps_at_instant_ > options_.max_events_at_once) {
    report("kernel.livelock",
           "more than " + std::to_string(options_.max_events_at_once) + " events at one instant",
           node.process);
    return;
  }
  running_ = node.process != 0 ? processes_[node.process].get() : nullptr;
  try {
    node.run(node.context, node.argument);
    settle();
  } catch (const InvariantViolation& violation) {
    report(violation.check, violation.message, running_id());
  } catch (const std::exception& error) {
    report("kernel.unexpected_exception", error.what(), running_id());
  }
  bury();
  running_ = nullptr;
  if (steps_ >= next_checkpoint_step_) checkpoint();
}

void Kernel::resume_event(void* frame, std::uint64_t kernel) {
  reinterpret_cast<Kernel*>(static_cast<std::uintptr_t>(kernel))
      ->resume_chain(std::coroutine_handle<>::from_address(frame));
}

// Resumes a frame and then every frame named by it, each from here, so that the stack stays flat.
void Kernel::resume_chain(std::coroutine_handle<> first) {
  next_ = first;
  while (next_) {
    const std::coroutine_handle<> frame = std::exchange(next_, nullptr);
    frame.resume();
    if (!doomed_.empty() && running_ != nullptr && !running_->alive_) next_ = nullptr;
  }
}

EventId Kernel::resume_in(Process& process, std::coroutine_handle<> frame) {
  if (!process.alive_) return {};
  if (running_ != nullptr || paused_.contains(process.id())) return process.resume_soon(frame);
  running_ = &process;
  resume_chain(frame);
  return {};
}

// Destroys root tasks that have ended; an exception of theirs goes to the loop.
void Kernel::settle() {
  while (!finished_roots_.empty()) {
    task_detail::PromiseBase* promise = finished_roots_.back();
    finished_roots_.pop_back();
    const std::exception_ptr exception = promise->exception;
    promise->process->unlink_root(*promise);
    promise->self.destroy();
    if (exception) std::rethrow_exception(exception);
  }
}

void Kernel::run_until(TimeNs limit_ns, SilenceClock silence) {
  silence_stands_ = silence == SilenceClock::stands;
  while (run_next(limit_ns)) {
  }
  if (!finding_) advance_clock(limit_ns);
  silence_stands_ = false;
}

bool Kernel::run_until_condition(const std::function<bool()>& done, TimeNs limit_ns) {
  while (!done()) {
    if (!step(limit_ns)) return done();
  }
  return true;
}

TimeNs Kernel::next_due() {
  drop_dead_ready();
  if (ready_head_ < ready_.size()) return now_ns_;
  TimeNs due_ns = kNever_ns;
  if (timed_.peek() >= 0) due_ns = timed_.top_due();
  if (silent_.peek() >= 0) due_ns = std::min(due_ns, silent_top_due());
  return due_ns;
}

// --- park timers ---

std::vector<Kernel::Parked> Kernel::parked() {
  std::vector<Parked> all;
  all.reserve(parked_.size());
  for (const auto& [id, info] : parked_) {
    all.push_back({id, info.created_ns, slab_[info.event.slot].due_ns, info.tag});
  }
  return all;
}

bool Kernel::expire_park(std::uint64_t id) {
  auto found = parked_.find(id);
  if (found == parked_.end()) return false;
  const std::uint32_t slot = found->second.event.slot;
  EventNode& node = slab_[slot];
  if (!slab_.waits(slot, id, EventState::timed)) return false;
  record(node.process, "kernel.park_expired"_label, id);
  parked_.erase(found);
  node.kind = TimerKind::protocol;
  node.state = EventState::ready;
  ready_.push_back({slot, id});
  timed_.on_removed();
  return true;
}

// --- random, trace, findings ---

RandomStream& Kernel::random(Label name) {
  auto found = streams_.find(name.hash());
  if (found == streams_.end()) {
    found = streams_.emplace(name.hash(), RandomStream(fold64(mix64(options_.seed), name.hash()))).first;
  }
  return found->second;
}

std::uint64_t Kernel::total_draws() const noexcept {
  std::uint64_t total = 0;
  for (const auto& [name, stream] : streams_) total += stream.draws();
  return total;
}

void Kernel::record(ProcessId actor, Label label, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  static_assert(sizeof(Label) == sizeof(const LabelInfo*));
  trace_.record({now_ns_, label.info(), actor, static_cast<std::uint32_t>(steps_), a, b, c});
}

void Kernel::checkpoint() {
  Checkpoint point{steps_, now_ns_, trace_.hash(), total_draws(), 0};
  for (const auto& digest : digests_) point.digest = fold64(point.digest, digest());
  if (checkpoints_.size() >= options_.max_checkpoints) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < checkpoints_.size(); i += 2) checkpoints_[kept++] = checkpoints_[i];
    checkpoints_.resize(kept);
    checkpoint_interval_ *= 2;
  }
  checkpoints_.push_back(point);
  next_checkpoint_step_ = steps_ + checkpoint_interval_;
}

void Kernel::report(std::string check, std::string message, ProcessId process) {
  if (finding_) return;
  record(process, "kernel.finding"_label, hash_text(check));
  finding_ = Finding{std::move(check),
                     std::move(message),
                     now_ns_,
                     steps_,
                     process == 0 ? std::string() : std::string(process_name(process)),
                     last_events_text(64)};
}

std::string Kernel::last_events_text(std::size_t most) {
  const std::vector<TraceRecord> records = trace_.last();
  std::string text;
  for (std::size_t i = records.size() > most ? records.size() - most : 0; i < records.size(); ++i) {
    text += to_text(records[i], options_.epoch_ns, process_name(records[i].actor)) + "\n";
  }
  return text;
}

void Kernel::guarded(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvariantViolation& violation) {
    report(violation.check, violation.message, 0);
  }
}

// --- hooks of task.h ---

namespace task_detail {

void set_next(Process& process, std::coroutine_handle<> next) noexcept {
  process.kernel_.next_ = next;
}

void root_finished(PromiseBase& promise) noexcept {
  promise.process->kernel_.finished_roots_.push_back(&promise);
}

}  // namespace task_detail
}  // namespace wt
