// Messages from JSON text: the inverse of schema::to_text with its default options.
//
// Fields go by their camelCase names; those left out keep their defaults. Error codes may be given as
// numbers or names, bytes and records as base64, ids as 22 characters of base64. A name that the message
// does not have, a value of the wrong kind or range, and null where no version allows it are errors that
// say where. Nothing throws.
#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "sim/kafka/wire/schema.h"

namespace wt::kafka {

// Fills the default-constructed struct at `object`.
absl::Status from_json(const schema::Table& table, void* object, std::string_view json);

template <class T>
absl::StatusOr<T> from_json(std::string_view json) {
  T message{};
  const absl::Status status = from_json(T::kTable, &message, json);
  if (!status.ok()) return status;
  return message;
}

}  // namespace wt::kafka
