// Long polls of the metadata log.
#include <algorithm>

#include "sim/controller/controller.h"

namespace wt::controller {

void Controller::on_fetch(CallId id, const FetchMetadata& request) {
  const auto session = sessions_.find(request.broker);
  if (session != sessions_.end()) {
    session->second.metadata_offset = request.from_offset;
    session->second.last_fetch_ns = process_.now();
    if (request.from_offset >= image_->end_offset()) session->second.last_caught_up_ns = process_.now();
  }
  if (request.from_offset < image_->end_offset() || request.max_wait_ns <= 0 ||
      waiting_.size() >= options_.max_queued_requests) {
    answer_fetch(id, request.from_offset);
    return;
  }
  waiting_.push_back(Waiting{id, request.from_offset, saturating_add(process_.now(), request.max_wait_ns)});
  waiting_changed_.notify_all();
}

FetchMetadata::Response Controller::fetch_answer(MetadataOffset from_offset) const {
  FetchMetadata::Response response;
  response.end_offset = image_->end_offset();
  response.controller_epoch = epoch_;
  auto it = std::partition_point(batches_.begin(), batches_.end(), [from_offset](const BatchPtr& batch) {
    return batch->end_offset() <= from_offset;
  });
  std::size_t size_bytes = 0;
  for (; it != batches_.end() && size_bytes < options_.max_fetch_bytes; ++it) {
    for (const Record& record : (*it)->records) size_bytes += encoded_size(record);
    response.batches.push_back(*it);
  }
  return response;
}

void Controller::answer_fetch(CallId id, MetadataOffset from_offset) {
  calls_.reply(options_.node, id,
               BodyPtr(std::make_unique<Message<FetchMetadata::Response>>(fetch_answer(from_offset))));
}

void Controller::answer_waiting() {
  std::vector<Waiting> ready;
  std::vector<Waiting> later;
  for (const Waiting& fetch : waiting_) {
    const bool due = fetch.from_offset < image_->end_offset() || fetch.deadline_ns <= process_.now();
    (due ? ready : later).push_back(fetch);
  }
  waiting_ = std::move(later);
  for (const Waiting& fetch : ready) answer_fetch(fetch.call, fetch.from_offset);
}

Task<void> Controller::watch_fetches() {
  for (;;) {
    if (waiting_.empty()) {
      co_await waiting_changed_.wait();
      continue;
    }
    TimeNs deadline_ns = kNever_ns;
    for (const Waiting& fetch : waiting_) deadline_ns = std::min(deadline_ns, fetch.deadline_ns);
    co_await waiting_changed_.wait_until(deadline_ns);
    answer_waiting();
  }
}

// The controller leads its log alone; brokers follow it without a vote.
DescribeQuorum::Response Controller::describe_quorum() const {
  DescribeQuorum::Response response;
  response.controller_epoch = epoch_;
  response.end_offset = image_->end_offset();
  for (const auto& [id, session] : sessions_) {
    if (image_->broker(id) == nullptr) continue;
    DescribeQuorum::Replica& replica = response.observers.emplace_back();
    replica.id = id;
    replica.log_end_offset = session.metadata_offset;
    replica.last_fetch_ns = session.last_fetch_ns;
    replica.last_caught_up_ns = session.last_caught_up_ns;
  }
  return response;
}

}  // namespace wt::controller
