#include "sim/objects/store.h"

#include <algorithm>
#include <utility>

#include "sim/formats/crc32c.h"
#include "sim/kernel/hash.h"

namespace wt::objects {
namespace {

template <class Response>
StatusOr<BodyPtr> as_body(StatusOr<Response> response) {
  if (!response.ok()) return response.status();
  BodyPtr body = std::make_unique<Message<Response>>(std::move(*response));
  return body;
}

// Compares by content, whatever the cuts; slices that share memory are not read.
bool same_bytes(const SliceList& a, const SliceList& b) {
  std::size_t in_a = 0, in_b = 0, at_a = 0, at_b = 0;
  for (;;) {
    while (in_a < a.size() && at_a == a[in_a].size()) ++in_a, at_a = 0;
    while (in_b < b.size() && at_b == b[in_b].size()) ++in_b, at_b = 0;
    if (in_a == a.size() || in_b == b.size()) return in_a == a.size() && in_b == b.size();
    const std::size_t length = std::min(a[in_a].size() - at_a, b[in_b].size() - at_b);
    const std::uint8_t* left = a[in_a].data() + at_a;
    const std::uint8_t* right = b[in_b].data() + at_b;
    if (left != right && std::memcmp(left, right, length) != 0) return false;
    at_a += length;
    at_b += length;
  }
}

}  // namespace

StatusOr<BodyPtr> ObjectStore::execute(NodeId, MessageBody& body) {
  if (auto* request = message_cast<PutRequest>(&body)) return as_body(put(request->value));
  if (auto* request = message_cast<GetRequest>(&body)) return as_body(get(request->value));
  if (auto* request = message_cast<HeadRequest>(&body)) return as_body(head(request->value));
  if (auto* request = message_cast<DeleteRequest>(&body)) return as_body(erase(request->value));
  if (auto* request = message_cast<ListRequest>(&body)) return as_body(list(request->value));
  return make_status(StatusCode::kInvalidArgument, "no request of the object store");
}

StatusOr<PutResponse> ObjectStore::put(PutRequest& request) {
  if (request.key.empty() || request.key.size() > limits_.max_key_bytes)
    return make_status(StatusCode::kInvalidArgument, "a key is empty or too long");
  const std::uint64_t size_bytes = total_size(request.bytes);
  if (size_bytes > limits_.max_object_bytes)
    return make_status(StatusCode::kInvalidArgument, "the object is too large");
  if (const auto found = objects_.find(request.key); found != objects_.end()) {
    const Object& object = found->second;
    const bool same = object.size_bytes == size_bytes && object.checksum == request.checksum &&
                      same_bytes(object.bytes, request.bytes);
    if (!same) return make_status(StatusCode::kAlreadyExists, request.key + " holds other bytes");
    return PutResponse{false};
  }
  changed(request.key, size_bytes, request.checksum);
  total_bytes_ += size_bytes;
  objects_.emplace(std::move(request.key), Object{std::move(request.bytes), size_bytes, request.checksum});
  return PutResponse{true};
}

StatusOr<GetResponse> ObjectStore::get(const GetRequest& request) const {
  const auto found = objects_.find(request.key);
  if (found == objects_.end()) return make_status(StatusCode::kNotFound, request.key);
  const Object& object = found->second;
  if (request.offset > object.size_bytes)
    return make_status(StatusCode::kOutOfRange, "behind the end of " + request.key);
  const std::uint64_t rest_bytes = object.size_bytes - request.offset;
  if (request.size_bytes != kToEnd && request.size_bytes > rest_bytes)
    return make_status(StatusCode::kOutOfRange, "behind the end of " + request.key);
  GetResponse response;
  response.info = {found->first, object.size_bytes, object.checksum};
  std::uint64_t skip = request.offset;
  std::uint64_t left = std::min(request.size_bytes, rest_bytes);
  if (skip == 0 && left == object.size_bytes) {
    response.bytes = object.bytes;
    return response;
  }
  for (const Slice& slice : object.bytes) {
    if (left == 0) break;
    if (skip >= slice.size()) {
      skip -= slice.size();
      continue;
    }
    const std::uint64_t take = std::min<std::uint64_t>(slice.size() - skip, left);
    response.bytes.push_back(slice.sub(skip, take));
    skip = 0;
    left -= take;
  }
  return response;
}

StatusOr<HeadResponse> ObjectStore::head(const HeadRequest& request) const {
  const auto found = objects_.find(request.key);
  if (found == objects_.end()) return make_status(StatusCode::kNotFound, request.key);
  return HeadResponse{{found->first, found->second.size_bytes, found->second.checksum}};
}

StatusOr<DeleteResponse> ObjectStore::erase(const DeleteRequest& request) {
  return DeleteResponse{remove(request.key)};
}

StatusOr<ListResponse> ObjectStore::list(const ListRequest& request) const {
  if (request.limit <= 0) return make_status(StatusCode::kInvalidArgument, "a list needs a positive limit");
  const auto limit = static_cast<std::size_t>(std::min(request.limit, limits_.max_list));
  auto item = request.after < request.prefix ? objects_.lower_bound(request.prefix)
                                             : objects_.upper_bound(request.after);
  ListResponse response;
  for (; item != objects_.end() && item->first.starts_with(request.prefix); ++item) {
    if (response.items.size() == limit) {
      response.more = true;
      break;
    }
    response.items.push_back({item->first, item->second.size_bytes, item->second.checksum});
  }
  return response;
}

std::vector<ObjectInfo> ObjectStore::items(std::string_view prefix) const {
  std::vector<ObjectInfo> all;
  for (auto item = objects_.lower_bound(prefix); item != objects_.end() && item->first.starts_with(prefix);
       ++item)
    all.push_back({item->first, item->second.size_bytes, item->second.checksum});
  return all;
}

bool ObjectStore::damage(std::string_view key, std::uint64_t byte_offset) {
  const auto found = objects_.find(key);
  if (found == objects_.end() || byte_offset >= found->second.size_bytes) return false;
  // Others may share the memory: the damaged bytes get their own.
  const Slice whole = flatten(found->second.bytes);
  std::vector<std::uint8_t> bytes(whole.bytes().begin(), whole.bytes().end());
  bytes[byte_offset] ^= 0x10;
  found->second.bytes.assign(1, Slice::copy_of(bytes));
  changed(key, byte_offset, 0);
  return true;
}

bool ObjectStore::remove(std::string_view key) {
  const auto found = objects_.find(key);
  if (found == objects_.end()) return false;
  changed(key, 0, found->second.checksum);
  total_bytes_ -= found->second.size_bytes;
  objects_.erase(found);
  return true;
}

void ObjectStore::changed(std::string_view key, std::uint64_t size_bytes, std::uint32_t checksum) {
  const std::uint32_t name = formats::crc32c({reinterpret_cast<const std::uint8_t*>(key.data()), key.size()});
  digest_ = fold64(fold64(digest_, std::uint64_t{name} << 32 | checksum), size_bytes);
}

}  // namespace wt::objects
