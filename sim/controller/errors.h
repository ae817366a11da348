// Kafka's error codes as the controller answers them, with a text for the client.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace wt::controller {

enum class ErrorCode : std::int16_t {
  unknown_server_error = -1,
  none = 0,
  unknown_topic_or_partition = 3,
  request_timed_out = 7,
  invalid_topic_exception = 17,
  unsupported_sasl_mechanism = 33,
  topic_already_exists = 36,
  invalid_partitions = 37,
  invalid_replication_factor = 38,
  invalid_replica_assignment = 39,
  invalid_config = 40,
  not_controller = 41,
  invalid_request = 42,
  policy_violation = 44,
  topic_deletion_disabled = 73,
  stale_broker_epoch = 77,
  preferred_leader_not_available = 80,
  eligible_leaders_not_available = 83,
  election_not_needed = 84,
  no_reassignment_in_progress = 85,
  resource_not_found = 91,
  duplicate_resource = 92,
  unacceptable_credential = 93,
  invalid_update_version = 95,
  unknown_topic_id = 100,
  duplicate_broker_registration = 101,
  broker_id_not_registered = 102,
  inconsistent_cluster_id = 104,
};

// `message` is empty where a real broker sends null.
struct Error {
  Error() = default;
  explicit Error(ErrorCode c, std::string text = {}) : code(c), message(std::move(text)) {}
  ErrorCode code = ErrorCode::none;
  std::string message;

  bool ok() const noexcept { return code == ErrorCode::none; }
  friend bool operator==(const Error&, const Error&) = default;
};

// Kafka's general sentence for a code, used where nothing more is known; empty for codes that the
// controller never answers that way.
std::string_view general_message(ErrorCode code);

}  // namespace wt::controller
