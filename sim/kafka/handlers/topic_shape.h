// Where the messages of any API name topics and partitions, found in their field tables.
//
// Most APIs carry a list of topics, each with a list of partitions, under ever new names. What fault rules
// need of them (which ones a request names, an answer for some of them only) is written once over this.
#pragma once

#include <optional>
#include <string>

#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// The parts of one topic in a list of them. Null where the API has none.
struct TopicShape {
  const schema::Field* name = nullptr;
  const schema::Field* id = nullptr;
  const schema::Field* partitions = nullptr;  // a list of structs or of numbers
  const schema::Field* index = nullptr;       // of structs: the field with the number
};

// Nothing for a list of anything else.
std::optional<TopicShape> topic_shape(const schema::Field& list);

// Empty where the topic is named by its id.
std::string_view topic_name_in(const TopicShape& shape, const void* topic);
Uuid topic_id_in(const TopicShape& shape, const void* topic);
// Of one element of the list of partitions.
std::int32_t partition_in(const TopicShape& shape, const void* partition);

// Copies, field by field, what is live in `version` over what was there.
void copy_struct(const schema::Table& table, const void* from, void* to, schema::Version version);
void copy_field(const schema::Field& field, const void* from_object, void* to_object,
                schema::Version version);
void copy_element(const schema::Field& field, const void* from, void* to, schema::Version version);

}  // namespace wt::kafka
