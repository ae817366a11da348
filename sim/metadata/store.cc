#include "sim/metadata/store.h"

#include <algorithm>
#include <utility>

#include "sim/kernel/hash.h"

namespace wt::metadata {
namespace {

// Answers as the calls carry them.
template <class Response>
StatusOr<BodyPtr> as_body(StatusOr<Response> response) {
  if (!response.ok()) return response.status();
  BodyPtr body = std::make_unique<Message<Response>>(std::move(*response));
  return body;
}

KeyValue as_key_value(const KeyTable::Item& item) {
  return {item.key, item.value, item.version, item.owner};
}

}  // namespace

MetadataStore::MetadataStore(Kernel& kernel, const StoreLimits& limits) : kernel_(kernel), limits_(limits) {}

StatusOr<BodyPtr> MetadataStore::execute(NodeId, MessageBody& body) {
  if (auto* request = message_cast<WriteRequest>(&body)) return as_body(write(request->value));
  if (auto* request = message_cast<GetRequest>(&body)) return as_body(get(request->value));
  if (auto* request = message_cast<ListRequest>(&body)) return as_body(list(request->value));
  if (auto* request = message_cast<SessionRequest>(&body)) return as_body(session(request->value));
  if (auto* request = message_cast<WatchRequest>(&body)) return as_body(watch(request->value));
  return make_status(StatusCode::kInvalidArgument, "no request of the metadata store");
}

// --- keys ---

StatusOr<GetResponse> MetadataStore::get(const GetRequest& request) const {
  const Item* item = items_.find(request.key);
  if (item == nullptr) return make_status(StatusCode::kNotFound, request.key);
  return GetResponse{item->value, item->version, item->owner};
}

Status MetadataStore::validate(const WriteRequest& request) const {
  if (request.operations.empty()) return make_status(StatusCode::kInvalidArgument, "nothing to write");
  if (request.operations.size() > limits_.max_operations)
    return make_status(StatusCode::kInvalidArgument, "too many operations in one write");
  for (const Operation& operation : request.operations) {
    if (operation.key.empty() || operation.key.size() > limits_.max_key_bytes)
      return make_status(StatusCode::kInvalidArgument, "a key is empty or too long");
    if (operation.value.size() > limits_.max_value_bytes)
      return make_status(StatusCode::kInvalidArgument, "the value of " + operation.key + " is too long");
    if (operation.expected < kAny)
      return make_status(StatusCode::kInvalidArgument, "there is no such version");
    if (operation.owner != 0 && !sessions_.contains(operation.owner))
      return make_status(StatusCode::kNotFound, "the session has ended");
  }
  return ok_status();
}

// Whether every operation finds the version that it expects. Operations on the same key see the ones
// before them: a put makes a version that nobody can name, an erase makes the key absent.
Status MetadataStore::check(const WriteRequest& request, Found& found) {
  const Operations& operations = request.operations;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    found.push_back(items_.find(operation.key));
    if (operation.expected == kAny) continue;
    Version version = found.back() == nullptr ? kAbsent : found.back()->version;
    for (std::size_t before = 0; before < i; ++before) {
      if (operations[before].kind == OperationKind::check || operations[before].key != operation.key)
        continue;
      version = operations[before].kind == OperationKind::put ? revision_ + 1 : kAbsent;
    }
    if (version != operation.expected) {
      return make_status(StatusCode::kAborted, operation.key + " has version " + std::to_string(version) +
                                                   ", not " + std::to_string(operation.expected));
    }
  }
  return ok_status();
}

StatusOr<WriteResponse> MetadataStore::write(WriteRequest& request) {
  if (Status valid = validate(request); !valid.ok()) return valid;
  Found found;
  if (Status agreed = check(request, found); !agreed.ok()) return agreed;
  ++revision_;
  Operations& operations = request.operations;
  // What an operation made of a key, the later ones on that key find.
  const auto made = [&](std::size_t i, std::string_view key, Item* item) {
    for (std::size_t later = i; later < operations.size(); ++later)
      if (later == i || operations[later].key == key) found[later] = item;
  };
  for (std::size_t i = 0; i < operations.size(); ++i) {
    Operation& operation = operations[i];
    if (operation.kind == OperationKind::put) {
      if (found[i] == nullptr) {
        Item& item = items_.create(std::move(operation.key));
        made(i, item.key, &item);
      }
      put(*found[i], std::move(operation.value), operation.owner);
    } else if (operation.kind == OperationKind::erase && found[i] != nullptr) {
      Item& item = *found[i];
      made(i, item.key, nullptr);
      erase(item);
    }
  }
  return WriteResponse{revision_};
}

void MetadataStore::put(Item& item, Slice value, SessionId owner) {
  digest_ = fold64(digest_, text_hash(value.text()));
  changed(item.key, OperationKind::put);
  if (owner != 0) sessions_.at(owner).keys.insert(item.key);
  if (item.owner != owner) disown(item.key, item.owner);
  item.owner = owner;
  item.value = std::move(value);
  item.version = revision_;
}

void MetadataStore::erase(Item& item) {
  disown(item.key, item.owner);
  changed(item.key, OperationKind::erase);
  items_.erase(item);
}

void MetadataStore::disown(const std::string& key, SessionId owner) {
  if (owner == 0) return;
  if (auto found = sessions_.find(owner); found != sessions_.end()) found->second.keys.erase(key);
}

StatusOr<ListResponse> MetadataStore::list(const ListRequest& request) const {
  if (request.limit <= 0) return make_status(StatusCode::kInvalidArgument, "a list needs a positive limit");
  const auto limit = static_cast<std::size_t>(std::min(request.limit, limits_.max_list));
  auto place = request.after < request.prefix ? items_.from(request.prefix) : items_.after(request.after);
  ListResponse response;
  for (; place != items_.end() && place->first.starts_with(request.prefix); ++place) {
    if (response.items.size() == limit) {
      response.more = true;
      break;
    }
    response.items.push_back(as_key_value(*place->second));
  }
  return response;
}

// --- inspection ---

std::optional<KeyValue> MetadataStore::find(std::string_view key) const {
  const Item* item = items_.find(key);
  if (item == nullptr) return std::nullopt;
  return as_key_value(*item);
}

std::vector<KeyValue> MetadataStore::items(std::string_view prefix) const {
  std::vector<KeyValue> all;
  for (auto place = items_.from(prefix); place != items_.end() && place->first.starts_with(prefix); ++place)
    all.push_back(as_key_value(*place->second));
  return all;
}

void MetadataStore::overwrite(const std::string& key, Slice value) {
  ++revision_;
  Item* item = items_.find(key);
  put(item == nullptr ? items_.create(key) : *item, std::move(value), 0);
}

void MetadataStore::remove(std::string_view key) {
  Item* item = items_.find(key);
  if (item == nullptr) return;
  ++revision_;
  erase(*item);
}

// --- sessions ---

StatusOr<SessionResponse> MetadataStore::session(const SessionRequest& request) {
  if (request.action == SessionAction::create) {
    if (request.ttl_ns < limits_.min_ttl_ns)
      return make_status(StatusCode::kInvalidArgument, "the time to live of a session is too short");
    if (sessions_.size() >= limits_.max_sessions)
      return make_status(StatusCode::kResourceExhausted, "too many sessions");
    const SessionId id = next_session_++;
    SessionState& state = sessions_[id];
    state.ttl_ns = request.ttl_ns;
    state.expires_ns = saturating_add(kernel_.now(), request.ttl_ns);
    state.timer =
        kernel_.schedule_at(0, state.expires_ns, TimerKind::protocol, &MetadataStore::expiry_event, this, id);
    digest_ = fold64(digest_, id);
    return SessionResponse{id};
  }
  const auto found = sessions_.find(request.session);
  if (found == sessions_.end()) return make_status(StatusCode::kNotFound, "the session has ended");
  if (request.action == SessionAction::close) {
    end_session(request.session);
  } else {
    // The timer stays where it is and looks again when it fires.
    found->second.expires_ns = saturating_add(kernel_.now(), found->second.ttl_ns);
  }
  return SessionResponse{request.session};
}

void MetadataStore::end_session(SessionId id) {
  auto node = sessions_.extract(id);
  if (node.empty()) return;
  kernel_.cancel(node.mapped().timer);
  kernel_.record(0, "metadata.session.ended"_label, id);
  digest_ = fold64(digest_, ~id);
  ++revision_;
  for (const std::string& key : node.mapped().keys) {
    if (Item* item = items_.find(key)) erase(*item);
  }
}

void MetadataStore::expiry_event(void* store, std::uint64_t id) {
  auto& self = *static_cast<MetadataStore*>(store);
  const auto found = self.sessions_.find(id);
  if (found == self.sessions_.end()) return;
  SessionState& state = found->second;
  state.timer = {};
  if (state.expires_ns <= self.kernel_.now()) {
    self.end_session(id);
    return;
  }
  state.timer = self.kernel_.schedule_at(0, state.expires_ns, TimerKind::protocol,
                                         &MetadataStore::expiry_event, store, id);
}

// --- watches ---

StatusOr<WatchResponse> MetadataStore::watch(const WatchRequest& request) {
  if (request.cancel != 0) {
    watches_.erase(request.cancel);
    return WatchResponse{request.cancel};
  }
  std::erase_if(watches_, [this](const auto& entry) {
    return entry.second.sink.expired() || kernel_.process(entry.second.process) == nullptr;
  });
  if (watches_.size() >= limits_.max_watches)
    return make_status(StatusCode::kResourceExhausted, "too many watches");
  const std::uint64_t id = next_watch_++;
  Watch& watch = watches_[id];
  watch.prefix = request.prefix;
  watch.process = request.process;
  watch.sink = request.sink;
  return WatchResponse{id};
}

// One notice at a time is on its way to a watch; changes until it arrives are merged into it.
void MetadataStore::changed(const std::string& key, OperationKind kind) {
  digest_ = fold64(fold64(digest_, text_hash(key)),
                   static_cast<std::uint64_t>(revision_) * 4 + static_cast<std::uint64_t>(kind));
  for (auto& [id, watch] : watches_) {
    if (!key.starts_with(watch.prefix)) continue;
    if (watch.changed.size() < limits_.max_notice_keys) {
      watch.changed.insert(key);
    } else if (!watch.changed.contains(key)) {
      watch.overflow = true;
    }
    if (std::exchange(watch.scheduled, true)) continue;
    if (limits_.watch_delay_ns == 0) {
      kernel_.schedule_now(watch.process, &MetadataStore::notice_event, this, id);
    } else {
      kernel_.schedule_at(watch.process, saturating_add(kernel_.now(), limits_.watch_delay_ns),
                          TimerKind::protocol, &MetadataStore::notice_event, this, id);
    }
  }
}

void MetadataStore::notice_event(void* store, std::uint64_t id) {
  auto& self = *static_cast<MetadataStore*>(store);
  const auto found = self.watches_.find(id);
  if (found == self.watches_.end()) return;
  Watch& watch = found->second;
  watch.scheduled = false;
  std::vector<std::string> keys;
  if (!std::exchange(watch.overflow, false)) keys.assign(watch.changed.begin(), watch.changed.end());
  watch.changed.clear();
  const std::shared_ptr<WatchSink> sink = watch.sink.lock();
  if (sink == nullptr) {
    self.watches_.erase(found);
    return;
  }
  sink->on_change(id, keys);
}

}  // namespace wt::metadata
