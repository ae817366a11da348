// The keys of the stream storage in the metadata store and the object store.
//
// All begin with the cluster id. Integers are hexadecimal text of fixed width, so that the order of
// keys is the order of numbers:
//
//   <cluster>/b/<topic id><partition>                binding
//   <cluster>/o/<topic id><partition>                proof that a binding was made, never erased
//   <cluster>/n                                      the next stream id
//   <cluster>/h/<stream>                             head
//   <cluster>/c/<stream>/<start><epoch><sequence>    commit, or intent to commit
//   <cluster>/i/<stream>/<end>                       generation-0 index, by the end of its range
//   <cluster>/p/<stream>/<start><epoch><sequence>    protection of a pending append's object
//   <cluster>/r/<object key>                         physical root; absent means ACTIVE
//
// Objects: <cluster>/w/<stream>/<epoch><sequence> (WAL), <cluster>/k/<stream>/<offset>.<checksum>
// (checkpoint).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/stream/types.h"

namespace wt::stream {

std::string binding_key(std::string_view cluster_id, const PartitionKey& key);
std::string binding_proof_key(std::string_view cluster_id, const PartitionKey& key);
std::string next_stream_key(std::string_view cluster_id);

class StreamKeys {
 public:
  StreamKeys(std::string_view cluster_id, StreamId stream);

  StreamId stream() const noexcept { return stream_; }
  std::string head() const;
  std::string commit(const AppendAttemptId& attempt, std::int64_t start) const;
  std::string commit_prefix() const { return prefix('c'); }
  std::string index(std::int64_t end) const;
  std::string index_prefix() const { return prefix('i'); }
  std::string protection(const AppendAttemptId& attempt, std::int64_t start) const;
  std::string protection_prefix() const { return prefix('p'); }
  std::string root(std::string_view object_key) const;
  std::string wal_object(const AppendAttemptId& attempt) const;
  std::string wal_prefix() const { return prefix('w'); }
  std::string checkpoint_object(std::int64_t offset, std::uint32_t checksum) const;
  std::string checkpoint_prefix() const { return prefix('k'); }

  // Reads a commit or protection key back.
  struct AttemptAt {
    AppendAttemptId attempt;
    std::int64_t start = 0;
  };
  std::optional<AttemptAt> parse_attempt(std::string_view key) const;

 private:
  std::string prefix(char kind) const;

  std::string cluster_;  // with the slash
  StreamId stream_;
};

}  // namespace wt::stream
