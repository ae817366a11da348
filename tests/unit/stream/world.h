// A small world for tests of the stream storage: one metadata store, one object store, brokers that
// are started, crashed and started again on their nodes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/formats/crc32c.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/status.h"
#include "sim/metadata/store.h"
#include "sim/network/calls.h"
#include "sim/objects/store.h"
#include "sim/stream/storage.h"

namespace wt::stream {

inline Slice payload_of(std::string_view text) {
  return Slice::copy_of(text);
}

// A Pulsar entry: its bytes are what the test says.
inline formats::Entry make_entry(std::string_view text, std::int32_t records = 1, std::int32_t ordinals = 1) {
  formats::Entry entry;
  entry.payload = payload_of(text);
  entry.header.kind = formats::PayloadKind::kPulsarEntry;
  entry.header.record_count = records;
  entry.header.pulsar_ordinal_count = ordinals;
  entry.header.crc = formats::crc32c(entry.payload.bytes());
  return entry;
}

inline std::vector<formats::Entry> one(std::string_view text, std::int32_t records = 1,
                                       std::int32_t ordinals = 1) {
  std::vector<formats::Entry> entries;
  entries.push_back(make_entry(text, records, ordinals));
  return entries;
}

inline PartitionKey partition_key(std::uint64_t topic = 1, std::int32_t partition = 0) {
  PartitionKey key;
  key.topic = Uuid::from_halves(7, topic);
  key.partition = partition;
  return key;
}

inline OpenRequest open_request(std::int64_t authority, std::uint64_t topic = 1) {
  OpenRequest request;
  request.key = partition_key(topic);
  request.topic = "orders";
  request.authority = authority;
  return request;
}

struct World {
  explicit World(std::uint64_t seed = 1, const LinkLatency& latency = {}, std::string cluster_id = "c1")
      : World(options(seed), latency, std::move(cluster_id)) {}
  World(const KernelOptions& kernel_options, const LinkLatency& latency, std::string cluster_id = "c1")
      : kernel(kernel_options),
        links(kernel, latency),
        rules(kernel),
        calls(kernel, links, rules),
        metadata(kernel),
        cluster(std::move(cluster_id)) {
    metadata_node = links.add_node("metadata");
    objects_node = links.add_node("objects");
    for (int broker = 0; broker < 3; ++broker)
      nodes.push_back(links.add_node("broker-" + std::to_string(broker)));
    calls.serve(metadata_node, metadata);
    calls.serve(objects_node, objects);
    rules.set_executor([this](FaultAction action, const FaultSite& site, const FaultRule&) {
      if (action == FaultAction::crash) crash(site.broker);
    });
  }
  static KernelOptions options(std::uint64_t seed) {
    KernelOptions options;
    options.seed = seed;
    return options;
  }

  StorageOptions storage_options(std::int32_t broker) const {
    StorageOptions options;
    options.cluster_id = cluster;
    options.broker_id = broker;
    options.node = nodes[static_cast<std::size_t>(broker)];
    options.metadata = metadata_node;
    options.objects = objects_node;
    options.limits = limits;
    return options;
  }
  StreamStorage& start(std::int32_t broker) {
    crash(broker);
    Process& process = kernel.create_process("broker-" + std::to_string(broker));
    links.attach(nodes[static_cast<std::size_t>(broker)], process);
    processes[broker] = &process;
    return process.emplace<StreamStorage>(process, calls, rules, storage_options(broker));
  }
  void crash(std::int32_t broker) {
    auto found = processes.find(broker);
    if (found == processes.end()) return;
    const ProcessId id = found->second->id();
    processes.erase(found);
    kernel.kill(id);
  }
  Process& process(std::int32_t broker) { return *processes.at(broker); }

  // Runs a task in the broker's process until it ends, at most ten minutes of virtual time; nothing when
  // the process died first.
  template <class T>
  std::optional<T> run(std::int32_t broker, Task<T> task) {
    auto slot = std::make_shared<std::optional<T>>();
    process(broker).spawn(into(std::move(task), slot));
    kernel.run_until_condition([&] { return slot->has_value() || !processes.contains(broker); },
                               kernel.now() + 10 * kMinute_ns);
    return std::move(*slot);
  }
  template <class T>
  static Task<void> into(Task<T> task, std::shared_ptr<std::optional<T>> slot) {
    T value = co_await task;
    slot->emplace(std::move(value));
  }

  StatusOr<StreamPtr> open(std::int32_t broker, StreamStorage& storage, std::int64_t authority,
                           std::uint64_t topic = 1) {
    requests.push_back(std::make_unique<OpenRequest>(open_request(authority, topic)));
    auto opened = run(broker, storage.open(*requests.back()));
    if (!opened) return make_status(StatusCode::kCancelled, "the broker died");
    return std::move(*opened);
  }
  // A new process on the broker's node, and a stream opened by it.
  StreamPtr lead(std::int32_t broker, std::int64_t authority) {
    StreamStorage& storage = start(broker);
    auto opened = open(broker, storage, authority);
    return opened.ok() ? *opened : nullptr;
  }
  std::optional<AppendResult> append(std::int32_t broker, const StreamPtr& stream, std::string_view text,
                                     std::int32_t records = 1) {
    return run(broker, stream->append(one(text, records)));
  }
  // All committed payloads, read by `broker` from its stream.
  std::vector<std::string> contents(std::int32_t broker, const StreamPtr& stream) {
    std::vector<std::string> texts;
    const EntryVisitor visit = [&texts](const StoredEntry& entry) {
      texts.emplace_back(entry.entry.payload.text());
      return ok_status();
    };
    auto scanned = run(broker, stream->scan(0, visit));
    if (!scanned || !scanned->ok())
      texts.emplace_back("scan failed: " + (scanned ? scanned->ToString() : "dead"));
    return texts;
  }
  RuleId rule(std::string point, FaultAction action, std::int64_t count = 1, std::uint64_t skip = 0) {
    FaultRule rule;
    rule.point = std::move(point);
    rule.action = action;
    rule.count = count;
    rule.skip = skip;
    return rules.add(rule).value();
  }

  Kernel kernel;
  Links links;
  FaultRules rules;
  Calls calls;
  metadata::MetadataStore metadata;
  objects::ObjectStore objects;
  std::string cluster;
  StreamLimits limits;
  NodeId metadata_node = 0;
  NodeId objects_node = 0;
  std::vector<NodeId> nodes;
  std::map<std::int32_t, Process*> processes;
  std::vector<std::unique_ptr<OpenRequest>> requests;
};

}  // namespace wt::stream
