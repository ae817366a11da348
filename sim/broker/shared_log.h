// A partition log with one copy of the data on the stream storage.
#pragma once

#include "sim/broker/partition_log.h"
#include "sim/stream/storage.h"

namespace wt::broker {

class SharedLog final : public PartitionLog {
 public:
  SharedLog(stream::StreamStorage& storage, const stream::PartitionKey& key, std::string topic);

  Task<Status> open(std::int32_t leader_epoch,
                    const std::function<void(const formats::Entry&)>& replay) override;
  Task<AppendResult> append(const formats::Entry& entry) override;
  Task<AppendResult> settle() override;
  Task<StatusOr<LogRead>> read(std::int64_t offset, const LogReadLimits& limits) override;
  bool read_cached(std::int64_t offset, const LogReadLimits& limits, LogRead& out) const override;
  Task<Status> trim(std::int64_t new_start_offset) override;
  void close() override;

  std::int64_t start_offset() const override { return stream_ ? stream_->trim_offset() : 0; }
  std::int64_t end_offset() const override { return stream_ ? stream_->committed_end() : 0; }

 private:
  AppendResult to_result(const stream::AppendResult& appended);

  stream::StreamStorage& storage_;
  stream::PartitionKey key_;
  std::string topic_;
  stream::StreamPtr stream_;           // of the last open
  stream::AppendAttemptId uncertain_;  // of the last append, when its outcome is unknown
};

}  // namespace wt::broker
