#include "sim/controller/records.h"

#include <array>

#include "sim/formats/base64.h"
#include "sim/kernel/hash.h"

namespace wt::controller {
namespace {

std::string printable(std::string_view bytes) {
  return base64_encode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                       Base64Alphabet::kStandard);
}

// The fields of each record, in one place: text, size and digest walk over them.
template <class Walker>
void walk(Walker& w, const RegisterBrokerRecord& r) {
  w("broker", r.broker);
  w("incarnation", r.incarnation);
  w("broker_epoch", r.broker_epoch);
  w("endpoints", r.endpoints);
  w("rack", r.rack);
  w("features", r.features);
  w("profile", r.profile);
  w("fenced", r.fenced);
}
template <class Walker, class BrokerAndEpoch>
void walk_broker(Walker& w, const BrokerAndEpoch& r) {
  w("broker", r.broker);
  w("broker_epoch", r.broker_epoch);
}
template <class Walker>
void walk(Walker& w, const UnregisterBrokerRecord& r) {
  walk_broker(w, r);
}
template <class Walker>
void walk(Walker& w, const FenceBrokerRecord& r) {
  walk_broker(w, r);
}
template <class Walker>
void walk(Walker& w, const UnfenceBrokerRecord& r) {
  walk_broker(w, r);
}
template <class Walker>
void walk(Walker& w, const ShutdownBrokerRecord& r) {
  walk_broker(w, r);
}
template <class Walker>
void walk(Walker& w, const TopicRecord& r) {
  w("name", r.name);
  w("topic", r.topic_id);
}
template <class Walker>
void walk(Walker& w, const PartitionRecord& r) {
  w("topic", r.topic_id);
  w("partition", r.partition);
  w("replicas", r.replicas);
  w("isr", r.isr);
  w("leader", r.leader);
  w("leader_epoch", r.leader_epoch);
  w("partition_epoch", r.partition_epoch);
}
template <class Walker>
void walk(Walker& w, const PartitionChangeRecord& r) {
  w("topic", r.topic_id);
  w("partition", r.partition);
  w("replicas", r.replicas);
  w("isr", r.isr);
  w("leader", r.leader);
  w("leader_epoch", r.leader_epoch);
  w("partition_epoch", r.partition_epoch);
  if (r.adding) w("adding", r.adding);
  if (r.removing) w("removing", r.removing);
}
template <class Walker>
void walk(Walker& w, const RemoveTopicRecord& r) {
  w("topic", r.topic_id);
}
template <class Walker>
void walk(Walker& w, const ConfigRecord& r) {
  w("type", static_cast<std::int32_t>(r.type));
  w("resource", r.resource);
  w("key", r.key);
  w("value", r.value);
}
template <class Walker>
void walk(Walker& w, const FeatureLevelRecord& r) {
  w("name", r.name);
  w("level", r.level);
}
template <class Walker>
void walk(Walker& w, const TopicPropertyRecord& r) {
  w("topic", r.topic_id);
  w("key", r.key);
  w("value", r.value);
}
template <class Walker>
void walk(Walker& w, const ProducerIdsRecord& r) {
  w("broker", r.broker);
  w("broker_epoch", r.broker_epoch);
  w("next_producer_id", r.next_producer_id);
}
template <class Walker>
void walk(Walker& w, const ActivationRecord& r) {
  w("profile", r.profile);
  w("brokers", r.brokers);
  w("snapshot_offset", r.snapshot_offset);
  w("snapshot_digest", r.snapshot_digest);
}
template <class Walker>
void walk(Walker& w, const ClientQuotaRecord& r) {
  w("entity", r.entity);
  w("key", r.key);
  w("value_bits", r.value_bits);
}

template <class Walker>
void walk(Walker& w, const UserScramRecord& r) {
  w("user", r.user);
  w("mechanism", r.mechanism);
  w("credential", r.credential);
}

// Forwards every kind of field to `integer` and `text`.
template <class Derived>
class Walker {
 public:
  template <class Field>
  void operator()(std::string_view name, const Field& field) {
    self().begin(name);
    value(field);
  }

 protected:
  template <class Integer>
  requires std::is_integral_v<Integer>
  void value(Integer field) { self().integer(static_cast<std::int64_t>(field)); }
  void value(const std::string& field) { self().text(field); }
  void value(const Uuid& field) { self().uuid(field); }
  void value(const Endpoint& field) {
    self().open();
    value(field.listener);
    value(field.host);
    value(field.port);
    value(field.protocol);
    self().close();
  }
  void value(const ScramCredential& field) {
    self().open();
    value(printable(field.salt));
    value(printable(field.stored_key));
    value(printable(field.server_key));
    value(field.iterations);
    self().close();
  }
  void value(const FeatureRange& field) {
    self().open();
    value(field.min_level);
    value(field.max_level);
    self().close();
  }
  template <class T>
  void value(const std::optional<T>& field) {
    if (field) {
      value(*field);
    } else {
      self().absent();
    }
  }
  template <class T>
  void value(const std::vector<T>& field) {
    self().open();
    for (const T& element : field) value(element);
    self().close();
  }
  template <class T>
  void value(const std::map<std::string, T>& field) {
    self().open();
    for (const auto& [key, element] : field) {
      value(key);
      value(element);
    }
    self().close();
  }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
};

class TextWalker : public Walker<TextWalker> {
 public:
  std::string out;

  void begin(std::string_view name) {
    out += ' ';
    out += name;
    out += '=';
    first_ = true;
  }
  void integer(std::int64_t field) { add(std::to_string(field)); }
  void text(const std::string& field) { add("'" + field + "'"); }
  void uuid(const Uuid& field) { add(field.text()); }
  void absent() { add("-"); }
  void open() {
    add("[");
    first_ = true;
  }
  void close() {
    out += ']';
    first_ = false;
  }

 private:
  void add(std::string_view piece) {
    if (!first_) out += ',';
    out += piece;
    first_ = false;
  }
  bool first_ = true;
};

class SizeWalker : public Walker<SizeWalker> {
 public:
  std::size_t bytes = 1;  // the kind

  void begin(std::string_view) {}
  void integer(std::int64_t) { bytes += 8; }
  void text(const std::string& field) { bytes += 4 + field.size(); }
  void uuid(const Uuid&) { bytes += 16; }
  void absent() { bytes += 4; }
  void open() { bytes += 4; }
  void close() {}
};

class DigestWalker : public Walker<DigestWalker> {
 public:
  std::uint64_t hash = 0;

  void begin(std::string_view) { hash = fold64(hash, 1); }
  void integer(std::int64_t field) { hash = fold64(hash, static_cast<std::uint64_t>(field)); }
  void text(const std::string& field) { hash = fold64(hash, hash_text(field)); }
  void uuid(const Uuid& field) { hash = fold64(fold64(hash, field.high()), field.low()); }
  void absent() { hash = fold64(hash, 2); }
  void open() { hash = fold64(hash, 3); }
  void close() { hash = fold64(hash, 4); }
};

constexpr std::array<std::string_view, std::variant_size_v<Record>> kKinds = {
    "RegisterBroker", "UnregisterBroker", "FenceBroker", "UnfenceBroker", "ShutdownBroker", "Topic",
    "Partition",      "PartitionChange",  "RemoveTopic", "Config",        "FeatureLevel",   "TopicProperty",
    "ProducerIds",    "Activation",       "UserScram",   "ClientQuota"};

}  // namespace

std::uint64_t profile_digest(const BrokerProfile& profile) {
  std::uint64_t hash = profile.size();
  for (const auto& [field, value] : profile) hash = fold64(fold64(hash, hash_text(field)), hash_text(value));
  return hash;
}

std::string_view record_kind(const Record& record) {
  return kKinds[record.index()];
}

std::string to_text(const Record& record) {
  TextWalker walker;
  walker.out = record_kind(record);
  std::visit([&walker](const auto& r) { walk(walker, r); }, record);
  return walker.out;
}

std::size_t encoded_size(const Record& record) {
  SizeWalker walker;
  std::visit([&walker](const auto& r) { walk(walker, r); }, record);
  return walker.bytes;
}

std::uint64_t record_digest(const Record& record) {
  DigestWalker walker;
  walker.hash = record.index();
  std::visit([&walker](const auto& r) { walk(walker, r); }, record);
  return walker.hash;
}

}  // namespace wt::controller
