// The object store as a task sees it. How calls can end: messages.h.
//
// Fault points: objects.put, objects.get, objects.head, objects.delete, objects.list. A client is
// cheap; it must outlive its calls.
#pragma once

#include <string>
#include <string_view>

#include "sim/network/calls.h"
#include "sim/objects/messages.h"

namespace wt::objects {

class ObjectClient {
 public:
  // `base` says from, to, time-out and broker; its topic must outlive the client.
  ObjectClient(Process& process, Calls& calls, const CallOptions& base);

  // What the calls are about from now on, for fault rules; the text must outlive the client.
  void set_about(std::string_view topic, std::int32_t partition);

  // Creates the object; fine when it exists with the same bytes. `checksum`: see ObjectInfo.
  Task<StatusOr<PutResponse>> put(std::string key, SliceList bytes, std::uint32_t checksum);
  Task<StatusOr<GetResponse>> get(std::string key, std::uint64_t offset = 0,
                                  std::uint64_t size_bytes = kToEnd);
  Task<StatusOr<HeadResponse>> head(std::string key);
  // Fine when there is none.
  Task<StatusOr<DeleteResponse>> erase(std::string key);
  Task<StatusOr<ListResponse>> list(std::string prefix, std::string after, std::int32_t limit);

 private:
  Process* process_;
  Calls* calls_;
  CallOptions put_;
  CallOptions get_;
  CallOptions head_;
  CallOptions erase_;
  CallOptions list_;
};

}  // namespace wt::objects
