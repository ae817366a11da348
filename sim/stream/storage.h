// The stream storage of one broker process: finds, creates, opens and deletes streams.
//
// The broker holds nothing durable: everything is in the metadata store and the object store, under
// keys that begin with the cluster id, so that several clusters can share the services.
#pragma once

#include <cstdint>
#include <string>

#include "sim/network/calls.h"
#include "sim/stream/stream.h"

namespace wt::stream {

struct StorageOptions {
  std::string cluster_id;
  std::int32_t broker_id = -1;
  NodeId node = 0;                                          // of this broker
  NodeId metadata = 0;                                      // of the metadata store
  NodeId objects = 0;                                       // of the object store
  Profile default_profile = Profile::kObjectWalSyncObject;  // of new streams
  DurationNs call_timeout_ns = 5 * kSecond_ns;
  StreamLimits limits;
};

struct OpenRequest {
  PartitionKey key;
  std::string topic;           // its name, for fault rules
  std::int64_t authority = 0;  // KRaft leader epoch; a reader needs none
};

class StreamStorage : public ProcessPart {
 public:
  // InvalidArgument says in a sentence which option is wrong; makes no call.
  static Status validate(const StorageOptions& options);

  StreamStorage(Process& process, Calls& calls, FaultRules& rules, const StorageOptions& options);

  // Requests must stay valid until the call ends (name them before `co_await`).

  // The binding of a partition, or NotFound. Never creates one. DataLoss when it is damaged.
  Task<StatusOr<Binding>> find(const OpenRequest& request);
  // The binding, created with its stream when absent: of brokers that race, all get the same stream.
  // FailedPrecondition when it is deleted or being deleted, DataLoss when it existed and is lost.
  Task<StatusOr<Binding>> resolve(const OpenRequest& request);

  // Opens for appending: binding → session under the authority → head → attempts that an earlier
  // session left behind are settled. Pre-empts a session of an older authority at once.
  // FailedPrecondition: the head knows a newer authority, or the same one held by another broker.
  // A lost answer may leave a session behind; opening again pre-empts it.
  Task<StatusOr<StreamPtr>> open(const OpenRequest& request);
  // Opens for reading, without a session; NotFound when there is no binding.
  Task<StatusOr<StreamPtr>> open_reader(const OpenRequest& request);

  // Deletes a partition's stream for good: fences appenders, removes records and objects, keeps the
  // binding as a tombstone. May be called again after an error; OK when there is nothing.
  Task<Status> remove(const OpenRequest& request);

 private:
  struct Found {
    Binding binding;
    metadata::Version version = 0;
  };
  metadata::MetadataClient metadata_for(const OpenRequest& request) const;
  objects::ObjectClient objects_for(const OpenRequest& request) const;
  FaultRules::PointAwaiter at(Label point, const OpenRequest& request) const;
  StreamPtr make_stream(const OpenRequest& request, const Found& found) const;
  Task<StatusOr<Found>> find_binding(const OpenRequest& request);
  Task<StatusOr<Found>> find_or_create(const OpenRequest& request);
  metadata::Operations creation(const OpenRequest& request, StreamId id,
                                metadata::Version counter_version) const;
  Task<Status> mark_binding(const OpenRequest& request, Lifecycle lifecycle);
  Task<Status> remove_keys(const OpenRequest& request, std::string prefix);
  Task<Status> remove_objects(const OpenRequest& request, std::string prefix);

  Process& process_;
  Calls& calls_;
  FaultRules& rules_;
  StorageOptions options_;
};

}  // namespace wt::stream
