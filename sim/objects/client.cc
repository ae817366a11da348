#include "sim/objects/client.h"

namespace wt::objects {

ObjectClient::ObjectClient(Process& process, Calls& calls, const CallOptions& base)
    : process_(&process), calls_(&calls), put_(base), get_(base), head_(base), erase_(base), list_(base) {
  put_.point = "objects.put"_label.info();
  get_.point = "objects.get"_label.info();
  head_.point = "objects.head"_label.info();
  erase_.point = "objects.delete"_label.info();
  list_.point = "objects.list"_label.info();
}

void ObjectClient::set_about(std::string_view topic, std::int32_t partition) {
  for (CallOptions* options : {&put_, &get_, &head_, &erase_, &list_}) {
    options->topic = topic;
    options->partition = partition;
  }
}

// None of these is a coroutine: each hands the typed call to its caller, which saves a frame.

Task<StatusOr<PutResponse>> ObjectClient::put(std::string key, SliceList bytes, std::uint32_t checksum) {
  PutRequest request;
  request.key = std::move(key);
  request.bytes = std::move(bytes);
  request.checksum = checksum;
  return typed_call<PutRequest>(*calls_, *process_, put_,
                                std::make_unique<Message<PutRequest>>(std::move(request)));
}

Task<StatusOr<GetResponse>> ObjectClient::get(std::string key, std::uint64_t offset,
                                              std::uint64_t size_bytes) {
  GetRequest request;
  request.key = std::move(key);
  request.offset = offset;
  request.size_bytes = size_bytes;
  return typed_call<GetRequest>(*calls_, *process_, get_,
                                std::make_unique<Message<GetRequest>>(std::move(request)));
}

Task<StatusOr<HeadResponse>> ObjectClient::head(std::string key) {
  HeadRequest request;
  request.key = std::move(key);
  return typed_call<HeadRequest>(*calls_, *process_, head_,
                                 std::make_unique<Message<HeadRequest>>(std::move(request)));
}

Task<StatusOr<DeleteResponse>> ObjectClient::erase(std::string key) {
  DeleteRequest request;
  request.key = std::move(key);
  return typed_call<DeleteRequest>(*calls_, *process_, erase_,
                                   std::make_unique<Message<DeleteRequest>>(std::move(request)));
}

Task<StatusOr<ListResponse>> ObjectClient::list(std::string prefix, std::string after, std::int32_t limit) {
  ListRequest request;
  request.prefix = std::move(prefix);
  request.after = std::move(after);
  request.limit = limit;
  return typed_call<ListRequest>(*calls_, *process_, list_,
                                 std::make_unique<Message<ListRequest>>(std::move(request)));
}

}  // namespace wt::objects
