// Configs of topics, groups and client metrics.
#include "sim/controller/config_table.h"

namespace wt::controller {
namespace {

using namespace config_table;

// clang-format off
constexpr ConfigDef kTopic[] = {
    def("cleanup.policy", V, "delete", "log.cleanup.policy", 0, list_of("compact, delete")),
    def("compression.gzip.level", I, "-1", kSame, 0, gzip_level()),
    def("compression.lz4.level", I, "9", kSame, 0, between(1, 17)),
    def("compression.type", S, "producer", kSame, 0, one_of("uncompressed, zstd, lz4, snappy, gzip, producer")),
    def("compression.zstd.level", I, "3", kSame, 0, between(-131072, 22)),
    def("delete.retention.ms", L, "86400000", "log.cleaner.delete.retention.ms", 0, at_least(0)),
    since(4, def("errors.deadletterqueue.group.enable", B, "false", "")),
    def("file.delete.delay.ms", L, "60000", "log.segment.delete.delay.ms", 0, at_least(0)),
    def("flush.messages", L, "9223372036854775807", "log.flush.interval.messages", 0, at_least(1)),
    def("flush.ms", L, "9223372036854775807", "log.flush.interval.ms", 0, at_least(0)),
    def("follower.replication.throttled.replicas", V, "", "", 0, throttled()),
    def("index.interval.bytes", I, "4096", "log.index.interval.bytes", 0, at_least(0)),
    def("leader.replication.throttled.replicas", V, "", "", 0, throttled()),
    def("local.retention.bytes", L, "-2", "log.local.retention.bytes", 0, at_least(-2)),
    def("local.retention.ms", L, "-2", "log.local.retention.ms", 0, at_least(-2)),
    def("max.compaction.lag.ms", L, "9223372036854775807", "log.cleaner.max.compaction.lag.ms", 0, at_least(1)),
    only(2, 2, def("max.decompressed.message.bytes", I, "2147483639", kSame, 0, at_least(1))),
    since(4, def("max.decompressed.message.bytes", I, "2147483639", kSame, 0, at_least(1))),
    def("max.message.bytes", I, "1048588", "message.max.bytes", 0, at_least(0)),
    def("message.timestamp.after.max.ms", L, "3600000", "log.message.timestamp.after.max.ms", 0, at_least(0)),
    def("message.timestamp.before.max.ms", L, "9223372036854775807", "log.message.timestamp.before.max.ms", 0, at_least(0)),
    def("message.timestamp.type", S, "CreateTime", "log.message.timestamp.type", 0, one_of("CreateTime, LogAppendTime")),
    def("min.cleanable.dirty.ratio", D, "0.5", "log.cleaner.min.cleanable.ratio", 0, between(0, 1)),
    def("min.compaction.lag.ms", L, "0", "log.cleaner.min.compaction.lag.ms", 0, at_least(0)),
    def("min.insync.replicas", I, "1", kSame, 0, at_least(1)),
    def("preallocate", B, "false", "log.preallocate"),
    since(4, def("remote.copy.lag.bytes", L, "-1", "log.remote.copy.lag.bytes", 0, at_least(-1))),
    since(4, def("remote.copy.lag.ms", L, "0", "log.remote.copy.lag.ms", 0, at_least(-1))),
    def("remote.log.copy.disable", B, "false", ""),
    def("remote.log.delete.on.disable", B, "false", ""),
    def("remote.storage.enable", B, "false", ""),
    def("retention.bytes", L, "-1", "log.retention.bytes"),
    def("retention.ms", L, "604800000", "log.retention.ms", 0, at_least(-1)),
    until(0, def("segment.bytes", I, "1073741824", "log.segment.bytes", 0, at_least(14))),
    since(1, def("segment.bytes", I, "1073741824", "log.segment.bytes", 0, at_least(1048576))),
    def("segment.index.bytes", I, "10485760", "log.index.size.max.bytes", 0, at_least(4)),
    def("segment.jitter.ms", L, "0", "log.roll.jitter.ms", 0, at_least(0)),
    def("segment.ms", L, "604800000", "log.roll.ms", 0, at_least(1)),
    def("unclean.leader.election.enable", B, "false", kSame),
};

constexpr ConfigDef kGroup[] = {
    since(3, def("consumer.assignment.interval.ms", I, "1000", "group.consumer.assignment.interval.ms", 0, at_least(0))),
    def("consumer.heartbeat.interval.ms", I, "5000", "group.consumer.heartbeat.interval.ms", 0, at_least(1)),
    def("consumer.session.timeout.ms", I, "45000", "group.consumer.session.timeout.ms", 0, at_least(1)),
    since(4, def("errors.deadletterqueue.copy.record.enable", B, "false", kSame)),
    since(4, def("errors.deadletterqueue.topic.name", S, "", kSame)),
    since(3, def("share.assignment.interval.ms", I, "1000", "group.share.assignment.interval.ms", 0, at_least(0))),
    def("share.auto.offset.reset", S, "latest", kSame),
    since(3, def("share.delivery.count.limit", I, "5", "group.share.delivery.count.limit", 0, at_least(2))),
    def("share.heartbeat.interval.ms", I, "5000", "group.share.heartbeat.interval.ms", 0, at_least(1)),
    since(1, def("share.isolation.level", S, "read_uncommitted", kSame, 0, one_of("read_committed, read_uncommitted"))),
    since(3, def("share.partition.max.record.locks", I, "2000", "group.share.partition.max.record.locks", 0, at_least(100))),
    def("share.record.lock.duration.ms", I, "30000", "group.share.record.lock.duration.ms", 0, at_least(1000)),
    since(3, def("share.renew.acknowledge.enable", B, "true", kSame)),
    def("share.session.timeout.ms", I, "45000", "group.share.session.timeout.ms", 0, at_least(1)),
    since(3, def("streams.assignment.interval.ms", I, "1000", "group.streams.assignment.interval.ms", 0, at_least(0))),
    since(4, def("streams.assignor.name", S, "sticky", "group.streams.assignors")),
    since(1, def("streams.heartbeat.interval.ms", I, "5000", "group.streams.heartbeat.interval.ms", 0, at_least(1))),
    since(2, def("streams.initial.rebalance.delay.ms", I, "3000", "group.streams.initial.rebalance.delay.ms", 0, at_least(0))),
    since(1, def("streams.num.standby.replicas", I, "0", "group.streams.num.standby.replicas", 0, at_least(0))),
    since(4, def("streams.rack.aware.assignment.tags", V, "", "group.streams.rack.aware.assignment.tags")),
    since(1, def("streams.session.timeout.ms", I, "45000", "group.streams.session.timeout.ms", 0, at_least(1))),
};

constexpr ConfigDef kClientMetrics[] = {
    def("interval.ms", I, "300000", ""),
    def("match", V, "", ""),
    def("metrics", V, "", ""),
};
// clang-format on

}  // namespace

std::span<const ConfigDef> topic_config_defs(int release) {
  static const ByRelease tables(kTopic);
  return tables.of(release);
}

std::span<const ConfigDef> group_config_defs(int release) {
  static const ByRelease tables(kGroup);
  return tables.of(release);
}

std::span<const ConfigDef> client_metrics_config_defs() {
  return kClientMetrics;
}

}  // namespace wt::controller
