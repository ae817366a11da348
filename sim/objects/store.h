// The object store: a durable service with immutable objects. Never killed; every call to it can be
// refused, slow, or lose its answer.
//
// An object is created once and never changed: putting the same bytes again is fine, other bytes are
// refused. Objects are lists of slices: neither put nor get copies payload.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/btree_map.h"
#include "sim/network/calls.h"
#include "sim/objects/messages.h"

namespace wt::objects {

struct StoreLimits {
  std::size_t max_key_bytes = 1024;
  std::uint64_t max_object_bytes = std::uint64_t{1} << 32;
  std::int32_t max_list = 4096;  // items in one answer; a greater limit is cut to this
};

class ObjectStore final : public DurableService {
 public:
  explicit ObjectStore(const StoreLimits& limits = {}) : limits_(limits) {}
  ObjectStore(const ObjectStore&) = delete;
  ObjectStore& operator=(const ObjectStore&) = delete;

  StatusOr<BodyPtr> execute(NodeId from, MessageBody& request) override;

  // For inspection and models.
  std::size_t size() const noexcept { return objects_.size(); }
  std::uint64_t total_bytes() const noexcept { return total_bytes_; }
  bool contains(std::string_view key) const { return objects_.find(key) != objects_.end(); }
  std::vector<ObjectInfo> items(std::string_view prefix) const;
  // Flips a bit or loses an object behind everybody's back, for tests of damage.
  bool damage(std::string_view key, std::uint64_t byte_offset);
  bool remove(std::string_view key);
  // Folds every change made so far; equal histories have equal digests.
  std::uint64_t digest() const noexcept { return digest_; }

 private:
  struct Object {
    SliceList bytes;
    std::uint64_t size_bytes = 0;
    std::uint32_t checksum = 0;
  };
  StatusOr<PutResponse> put(PutRequest& request);
  StatusOr<GetResponse> get(const GetRequest& request) const;
  StatusOr<HeadResponse> head(const HeadRequest& request) const;
  StatusOr<DeleteResponse> erase(const DeleteRequest& request);
  StatusOr<ListResponse> list(const ListRequest& request) const;
  void changed(std::string_view key, std::uint64_t size_bytes, std::uint32_t checksum);

  StoreLimits limits_;
  absl::btree_map<std::string, Object, std::less<>> objects_;
  std::uint64_t total_bytes_ = 0;
  std::uint64_t digest_ = 0;
};

}  // namespace wt::objects
