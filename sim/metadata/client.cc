#include "sim/metadata/client.h"

namespace wt::metadata {

MetadataClient::MetadataClient(Process& process, Calls& calls, const CallOptions& base)
    : process_(&process), calls_(&calls), get_(base), write_(base), list_(base), session_(base) {
  get_.point = "metadata.get"_label.info();
  write_.point = "metadata.cas"_label.info();
  list_.point = "metadata.list"_label.info();
  session_.point = "metadata.session"_label.info();
}

void MetadataClient::set_about(std::string_view topic, std::int32_t partition) {
  for (CallOptions* options : {&get_, &write_, &list_, &session_}) {
    options->topic = topic;
    options->partition = partition;
  }
}

// None of these is a coroutine: each hands the typed call to its caller, which saves a frame.

Task<StatusOr<GetResponse>> MetadataClient::get(std::string key) {
  GetRequest request;
  request.key = std::move(key);
  return typed_call<GetRequest>(*calls_, *process_, get_,
                                std::make_unique<Message<GetRequest>>(std::move(request)));
}

Task<StatusOr<WriteResponse>> MetadataClient::multi(Operations operations) {
  WriteRequest request;
  request.operations = std::move(operations);
  return typed_call<WriteRequest>(*calls_, *process_, write_,
                                  std::make_unique<Message<WriteRequest>>(std::move(request)));
}

Task<StatusOr<WriteResponse>> MetadataClient::put(std::string key, Slice value, Version expected,
                                                  SessionId owner) {
  Operations operations;
  operations.push_back(Operation::put(std::move(key), std::move(value), expected, owner));
  return multi(std::move(operations));
}

Task<StatusOr<WriteResponse>> MetadataClient::erase(std::string key, Version expected) {
  Operations operations;
  operations.push_back(Operation::erase(std::move(key), expected));
  return multi(std::move(operations));
}

Task<StatusOr<ListResponse>> MetadataClient::list(std::string prefix, std::string after, std::int32_t limit) {
  ListRequest request;
  request.prefix = std::move(prefix);
  request.after = std::move(after);
  request.limit = limit;
  return typed_call<ListRequest>(*calls_, *process_, list_,
                                 std::make_unique<Message<ListRequest>>(std::move(request)));
}

namespace {

Task<StatusOr<SessionResponse>> session_call(Calls& calls, Process& process, const CallOptions& options,
                                             SessionAction action, SessionId session, DurationNs ttl_ns) {
  SessionRequest request;
  request.action = action;
  request.session = session;
  request.ttl_ns = ttl_ns;
  return typed_call<SessionRequest>(calls, process, options,
                                    std::make_unique<Message<SessionRequest>>(request));
}

}  // namespace

Task<StatusOr<SessionResponse>> MetadataClient::create_session(DurationNs ttl_ns) {
  return session_call(*calls_, *process_, session_, SessionAction::create, 0, ttl_ns);
}
Task<StatusOr<SessionResponse>> MetadataClient::keep_alive(SessionId session) {
  return session_call(*calls_, *process_, session_, SessionAction::keep_alive, session, 0);
}
Task<StatusOr<SessionResponse>> MetadataClient::close_session(SessionId session) {
  return session_call(*calls_, *process_, session_, SessionAction::close, session, 0);
}

Task<StatusOr<WatchResponse>> MetadataClient::watch(std::string prefix, std::weak_ptr<WatchSink> sink) {
  WatchRequest request;
  request.prefix = std::move(prefix);
  request.process = process_->id();
  request.sink = std::move(sink);
  return typed_call<WatchRequest>(*calls_, *process_, session_,
                                  std::make_unique<Message<WatchRequest>>(std::move(request)));
}

Task<StatusOr<WatchResponse>> MetadataClient::unwatch(std::uint64_t watch) {
  WatchRequest request;
  request.cancel = watch;
  return typed_call<WatchRequest>(*calls_, *process_, session_,
                                  std::make_unique<Message<WatchRequest>>(std::move(request)));
}

}  // namespace wt::metadata
