// Requests and answers of the object store. How a call can end:
//   AlreadyExists      put: the key holds other bytes; they stay
//   NotFound           no such object
//   OutOfRange         get: the range is not inside the object
//   InvalidArgument    the request makes no sense
//   Unavailable        no effect (refused, or nobody there)
//   DeadlineExceeded   no answer: the request may or may not have taken effect
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/formats/slice.h"

namespace wt::objects {

struct ObjectInfo {
  std::string key;
  std::uint64_t size_bytes = 0;
  // As the writer gave it: a CRC32C that covers the object, directly or in layers, so that nobody
  // hashes megabytes a second time. The store only compares it.
  std::uint32_t checksum = 0;
};

struct PutResponse {
  bool created = false;  // false: the same object was there already
};
struct PutRequest {
  using Response = PutResponse;
  std::string key;
  SliceList bytes;
  std::uint32_t checksum = 0;
};

inline constexpr std::uint64_t kToEnd = std::numeric_limits<std::uint64_t>::max();

struct GetResponse {
  SliceList bytes;  // shares the stored memory
  ObjectInfo info;
};
struct GetRequest {
  using Response = GetResponse;
  std::string key;
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = kToEnd;
};

struct HeadResponse {
  ObjectInfo info;
};
struct HeadRequest {
  using Response = HeadResponse;
  std::string key;
};

struct DeleteResponse {
  bool existed = false;
};
struct DeleteRequest {
  using Response = DeleteResponse;
  std::string key;
};

// Objects whose keys begin with `prefix` and are greater than `after`, ascending.
struct ListResponse {
  std::vector<ObjectInfo> items;
  bool more = false;
};
struct ListRequest {
  using Response = ListResponse;
  std::string prefix;
  std::string after;
  std::int32_t limit = 0;
};

}  // namespace wt::objects
