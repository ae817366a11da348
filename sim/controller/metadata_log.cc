#include "sim/controller/metadata_log.h"

#include <algorithm>

namespace wt::controller {

StatusOr<BodyPtr> MetadataLog::execute(NodeId, MessageBody& request) {
  if (message_cast<ClaimLog>(&request) != nullptr) {
    ++epoch_;
    return BodyPtr(std::make_unique<Message<ClaimLog::Response>>(ClaimLog::Response{epoch_, end_offset_}));
  }
  if (const auto* to_append = message_cast<AppendRecords>(&request))
    return BodyPtr(std::make_unique<Message<AppendRecords::Response>>(append(to_append->value)));
  if (const auto* to_read = message_cast<ReadRecords>(&request))
    return BodyPtr(std::make_unique<Message<ReadRecords::Response>>(read(to_read->value)));
  return make_status(StatusCode::kInvalidArgument, "the metadata log does not know this request");
}

AppendRecords::Response MetadataLog::append(const AppendRecords& request) {
  const RecordBatch& batch = *request.batch;
  AppendRecords::Response response;
  response.epoch = epoch_;
  if (batch.controller_epoch != epoch_) {
    response.outcome = AppendRecords::Outcome::fenced;
  } else if (batch.base_offset != end_offset_) {
    response.outcome = AppendRecords::Outcome::wrong_offset;
  } else {
    batches_.push_back(request.batch);
    end_offset_ = batch.end_offset();
  }
  response.end_offset = end_offset_;
  return response;
}

ReadRecords::Response MetadataLog::read(const ReadRecords& request) const {
  ReadRecords::Response response;
  response.end_offset = end_offset_;
  auto it = std::partition_point(batches_.begin(), batches_.end(), [&request](const BatchPtr& batch) {
    return batch->end_offset() <= request.from_offset;
  });
  for (; it != batches_.end() && response.batches.size() < request.max_batches; ++it)
    response.batches.push_back(*it);
  return response;
}

}  // namespace wt::controller
