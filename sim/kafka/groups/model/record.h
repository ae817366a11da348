// One record of a coordinator's log, `__consumer_offsets`.
//
// Keys and values are messages with field tables like those on the wire: two bytes of version, then the
// fields. The version of a key says what kind of record it is. Source: Apache Kafka, group-coordinator,
// common/message/*Key.json and *Value.json.
#pragma once

#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

struct GroupRecord {
  schema::AnyMessage key;
  schema::AnyMessage value;  // empty: a tombstone
};

template <class Key, class Value>
GroupRecord group_record(Key key, Value value) {
  GroupRecord record;
  record.key = schema::AnyMessage(Key::kTable);
  *record.key.template get<Key>() = std::move(key);
  record.value = schema::AnyMessage(Value::kTable);
  *record.value.template get<Value>() = std::move(value);
  return record;
}

template <class Key>
GroupRecord group_tombstone(Key key) {
  GroupRecord record;
  record.key = schema::AnyMessage(Key::kTable);
  *record.key.template get<Key>() = std::move(key);
  return record;
}

}  // namespace wt::kafka
