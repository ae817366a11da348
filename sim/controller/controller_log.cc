// The controller and its log: claiming, reading, appending.
#include "sim/controller/controller.h"
#include "sim/controller/planner.h"

namespace wt::controller {

Task<void> Controller::load() {
  active_ = false;
  co_await claim();
  co_await read_log();
  if (image_->end_offset() == 0) co_await bootstrap();
  open_sessions();
  placement_cursor_ = process_.random("controller.placement"_label).below(1U << 16);
  active_ = true;
  process_.trace("controller.active"_label, static_cast<std::uint64_t>(epoch_),
                 static_cast<std::uint64_t>(image_->end_offset()), image_->digest());
  push_activation();
}

Task<void> Controller::claim() {
  CallOptions call;
  call.from = options_.node;
  call.to = options_.log_node;
  call.timeout_ns = options_.log_timeout_ns;
  call.point = "controller.log.claim"_label.info();
  for (;;) {
    auto message = std::make_unique<Message<ClaimLog>>(ClaimLog{});
    auto answer = co_await typed_call(calls_, process_, call, std::move(message));
    if (answer.ok()) {
      epoch_ = answer->epoch;
      co_return;
    }
    co_await process_.sleep(options_.log_retry_backoff_ns);
  }
}

Task<void> Controller::read_log() {
  CallOptions call;
  call.from = options_.node;
  call.to = options_.log_node;
  call.timeout_ns = options_.log_timeout_ns;
  call.point = "controller.log.read"_label.info();
  batches_.clear();
  auto image = std::make_shared<MetadataImage>();
  for (;;) {
    auto message = std::make_unique<Message<ReadRecords>>(ReadRecords{});
    message->value.from_offset = image->end_offset();
    auto answer = co_await typed_call(calls_, process_, call, std::move(message));
    if (!answer.ok()) {
      co_await process_.sleep(options_.log_retry_backoff_ns);
      continue;
    }
    for (const BatchPtr& batch : answer->batches) {
      image->apply(*batch);
      batches_.push_back(batch);
    }
    if (image->end_offset() >= answer->end_offset) break;
  }
  image_ = std::move(image);
}

Task<void> Controller::bootstrap() {
  Planner planner(options_, image_, process_.random("controller.topic.ids"_label), placement_cursor_);
  planner.bootstrap();
  if (planner.records().empty()) co_return;
  const bool committed = co_await commit(planner);
  // Another controller has come in between: it has written these records.
  if (!committed) co_await load();
}

Task<bool> Controller::commit(Planner& planner) {
  auto batch = std::make_shared<RecordBatch>();
  batch->base_offset = image_->end_offset();
  batch->controller_epoch = epoch_;
  batch->time_ns = process_.now();
  batch->records = planner.take_records();
  const BatchPtr shared = std::move(batch);
  const AppendRecords::Outcome outcome = co_await append(shared);
  if (outcome != AppendRecords::Outcome::appended) co_return false;
  placement_cursor_ = planner.placement_cursor();
  applied(shared, planner.image());
  FaultSite site("controller.record.applied"_label);
  co_await rules_.at(process_, site);
  co_return true;
}

// The same batch is sent until its fate is known: only this controller writes with this epoch, so what
// stands in the log at the batch's place is the batch.
Task<AppendRecords::Outcome> Controller::append(const BatchPtr& batch) {
  CallOptions call;
  call.from = options_.node;
  call.to = options_.log_node;
  call.timeout_ns = options_.log_timeout_ns;
  call.point = "controller.record.append"_label.info();
  for (;;) {
    auto message = std::make_unique<Message<AppendRecords>>(AppendRecords{});
    message->value.batch = batch;
    auto answer = co_await typed_call(calls_, process_, call, std::move(message));
    if (!answer.ok()) {
      process_.trace("controller.append.retry"_label, static_cast<std::uint64_t>(batch->base_offset));
      co_await process_.sleep(options_.log_retry_backoff_ns);
      continue;
    }
    if (answer->outcome != AppendRecords::Outcome::wrong_offset) co_return answer->outcome;
    WT_INVARIANT(answer->end_offset == batch->end_offset(), "controller.log.end",
                 "the metadata log does not end where its only writer left it");
    co_return AppendRecords::Outcome::appended;
  }
}

void Controller::applied(const BatchPtr& batch, const MetadataImage& image) {
  image_ = std::make_shared<MetadataImage>(image);
  batches_.push_back(batch);
  std::uint64_t digest = 0;
  for (const Record& record : batch->records) digest = fold64(digest, record_digest(record));
  process_.trace("controller.batch.applied"_label, static_cast<std::uint64_t>(batch->base_offset),
                 batch->records.size(), digest);
  for (const Record& record : batch->records) {
    if (const auto* change = std::get_if<PartitionChangeRecord>(&record);
        change != nullptr && change->leader) {
      process_.trace("controller.leader.changed"_label, change->topic_id.low(),
                     static_cast<std::uint64_t>(change->partition),
                     static_cast<std::uint64_t>(*change->leader));
    } else if (const auto* fence = std::get_if<FenceBrokerRecord>(&record)) {
      process_.trace("controller.broker.fenced"_label, static_cast<std::uint64_t>(fence->broker));
    } else if (const auto* unfence = std::get_if<UnfenceBrokerRecord>(&record)) {
      process_.trace("controller.broker.unfenced"_label, static_cast<std::uint64_t>(unfence->broker));
    }
  }
  answer_waiting();
}

}  // namespace wt::controller
