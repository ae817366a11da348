// One partition of `__consumer_offsets` and the groups that live in it, on the broker that leads it.
//
// A lane lets one operation in at a time: a request or an expired timer. Each catches up with the log,
// works on its group, appends the records, replays them into the groups and sends the answers. Prepare,
// append and complete are separate steps with a fault point before each next one.
//
// The log is the state: a shard is built by replaying it, and what others append to it (markers of
// transactions) or what was appended with an unknown outcome is taken in from there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/broker/broker.h"
#include "sim/formats/record.h"
#include "sim/kafka/groups/call.h"
#include "sim/kafka/groups/hash_order.h"
#include "sim/kafka/groups/module.h"
#include "sim/kafka/groups/offset_store.h"
#include "sim/kafka/groups/options.h"
#include "sim/kernel/sync.h"

namespace wt::kafka {

// Where a replayed record stands in the log.
struct RecordPlace {
  std::int64_t offset = -1;
  std::int64_t timestamp_ms = -1;
  std::int64_t producer_id = -1;  // of a transaction; -1: a plain record
  std::int16_t producer_epoch = -1;
};

class GroupShard final : public GroupHost,
                         public broker::PartitionListener,
                         public std::enable_shared_from_this<GroupShard> {
 public:
  enum class State : std::uint8_t {
    opening,  // the broker does not lead the partition yet
    loading,  // the log is read
    ready,
    recovering,  // an append of unknown outcome is settled, then the log is read on
    stopped,     // somebody else's
  };

  GroupShard(Process& process, broker::Broker& broker, const GroupCoordinatorOptions& options,
             const RecordCodec& codec, std::shared_ptr<broker::Partition> partition);
  ~GroupShard() override;
  // Once, when a shared pointer owns it.
  void start();

  std::int32_t index() const noexcept { return partition_->identity().index; }
  std::int32_t leader_epoch() const noexcept { return epoch_; }
  const broker::Partition& partition() const noexcept { return *partition_; }
  State state() const noexcept { return state_; }
  bool stopped() const noexcept { return state_ == State::stopped; }
  // Whoever waits is told NOT_COORDINATOR; nothing happens here any more.
  void stop();

  // Gives one operation to its group and waits for the answer.
  Task<GroupAnswer> run(const GroupCall& call, const GroupOperation& operation);

  // --- groups, by id ---
  using Groups = std::map<std::string, std::unique_ptr<Group>, std::less<>>;
  const Groups& groups() const noexcept { return groups_; }
  Group* find(std::string_view id) const;
  // In the order in which a broker lists them.
  std::vector<const Group*> listed() const;
  // Null also when the group is of another class.
  template <class T>
  T* find_as(std::string_view id) const {
    return dynamic_cast<T*>(find(id));
  }
  // Takes the place of a group with the same id, whose timers end; set timers of the new one after this.
  // Replacing a group does not close it: tickets that it holds are the caller's care.
  Group& put(std::unique_ptr<Group> group);
  void remove(std::string_view id);
  // Out of its place, with its timers ended; null when there is none.
  std::unique_ptr<Group> take(std::string_view id);
  // The group, or a new one without members, as offsets without members make it.
  Group& find_or_make_empty(const std::string& id);

  OffsetStore& offsets() noexcept { return offsets_; }
  const OffsetStore& offsets() const noexcept { return offsets_; }
  // Its offsets go, as soon as the lane is free.
  void on_topic_deleted(const std::string& topic);

  // --- for modules ---
  const GroupCoordinatorOptions& options() const noexcept { return options_; }
  broker::Broker& broker() noexcept { return broker_; }
  // Of the record that is being replayed.
  const RecordPlace& place() const noexcept { return place_; }
  // Ends the wait for a ticket without a response, as if the coordinator had refused the request.
  void refuse(Ticket ticket, ErrorCode code);

  // --- GroupHost ---
  TimeNs now() const override { return process_.now(); }
  const controller::MetadataImage& image() const override { return broker_.image(); }
  GroupSettings settings(std::string_view group) const override;
  std::string new_uuid() override;
  void set_timer(const GroupTimer& timer, DurationNs after_ns, TimerKind kind,
                 std::uint64_t park_tag) override;
  void cancel_timer(const GroupTimer& timer) override;
  void trace(Label label, std::string_view group, std::string_view member, std::int64_t number) override;

  // --- broker::PartitionListener ---
  void on_partition_changed() override;

 private:
  class Waiter;
  struct OwnCall;
  struct ArmedTimer {
    std::uint64_t number = 0;  // new at every setting: tells an expiry that it was overtaken
    EventId event;
  };
  using Timers = std::map<GroupTimer, ArmedTimer>;

  // What a request gets that comes now; kNone when it may enter.
  ErrorCode refusal() const noexcept;
  bool leads() const noexcept;
  void begin_loading();
  Task<void> load(std::shared_ptr<GroupShard> self);
  // After an append of unknown outcome. `rest` is what the group wants to write after all.
  void begin_recovery(Lane::Guard lane, std::string_view group, Outcome rest);
  Task<void> recover(Lane::Guard lane, std::string group, std::shared_ptr<Outcome> rest,
                     std::shared_ptr<GroupShard> self);

  Task<void> perform(std::shared_ptr<GroupShard> self, std::shared_ptr<const OwnCall> own,
                     const GroupOperation* operation, Ticket ticket);
  // --- steps of an operation, in the lane; defined in shard_append.cc ---
  // Afterwards see stopped() and outcome_unknown_.
  Task<void> commit(const GroupCall& call, Outcome& outcome);
  Task<ErrorCode> write(const GroupCall& call, Outcome& outcome);
  // The records were replayed.
  void follow_up(std::string_view group, Outcome& outcome);
  Task<ErrorCode> append(const GroupCall& call, const std::vector<GroupRecord>& records);
  StatusOr<Slice> batch_of(const std::vector<GroupRecord>& records) const;
  void give_up(const GroupCall& call, ErrorCode code, Outcome& outcome);
  void deliver(Outcome& outcome);
  void refuse_all(Outcome& outcome, ErrorCode code);
  FaultSite site(Label point, const GroupCall& call) const;

  // --- reading the log; defined in shard_replay.cc ---
  // Takes in everything up to the end of the log. False when the shard was stopped meanwhile.
  Task<bool> catch_up();
  void replay_entry(const formats::Entry& entry);
  void replay_batch(const formats::BatchHeader& header, std::span<const std::uint8_t> records,
                    std::int64_t base_offset);
  void replay_marker(const formats::RecordView& view, std::int64_t producer_id);
  void replay(const GroupRecord& record, const RecordPlace& place);

  // --- work that nobody asks for ---
  // Looks for old offsets when the next interval since loading is over.
  void schedule_cleanup();
  static void on_cleanup_event(void* shard, std::uint64_t);
  // `topic` empty: what is too old; else all offsets of that topic.
  Task<void> clean_up(std::string topic, std::shared_ptr<GroupShard> self);

  // --- timers ---
  static void on_timer_event(void* shard, std::uint64_t number);
  Task<void> expire(std::uint64_t number, std::shared_ptr<GroupShard> self);
  Timers::iterator end_timer(Timers::iterator timer);
  void end_timers_of(std::string_view group);

  Process& process_;
  broker::Broker& broker_;
  const GroupCoordinatorOptions& options_;
  const RecordCodec& codec_;
  std::shared_ptr<broker::Partition> partition_;
  std::int32_t epoch_;

  State state_ = State::opening;
  Lane lane_;
  std::int64_t applied_ = 0;  // end of what the groups know of the log
  RecordPlace place_;
  bool outcome_unknown_ = false;  // of the last append
  Groups groups_;
  HashOrder listed_{HashOrder::Table::timeline};  // their ids
  OffsetStore offsets_;
  TimeNs loaded_ns_ = 0;
  EventId cleanup_;
  Timers timers_;
  std::map<std::uint64_t, GroupTimer> timer_numbers_;
  std::uint64_t next_timer_ = 1;
  std::map<Ticket, Waiter*> waiters_;
  Ticket next_ticket_ = 1;
};

}  // namespace wt::kafka
