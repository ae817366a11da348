// Steps that are made of several requests: topics, leaders, coordinators.
#pragma once

#include "tests/conformance/runner/exchange.h"
#include "tests/conformance/runner/variables.h"

namespace wt::conformance {

inline constexpr std::int64_t kSettleWait_ms = 60'000;
inline constexpr std::int64_t kPollEvery_ms = 20;

class ClusterSteps {
 public:
  ClusterSteps(Exchange& exchange, Variables& variables)
      : exchange_(exchange), target_(exchange.target()), variables_(variables) {}

  absl::Status create_topic(const json::object& step);
  absl::Status wait_leader(const json::object& step);
  // The broker that coordinates `group`, once it answers for it.
  absl::StatusOr<int> find_coordinator(std::string_view group);

 private:
  absl::StatusOr<json::value> ask_topic(int broker, std::string_view topic);
  absl::Status wait_until_known(int broker, std::string_view topic, const json::value& id);
  bool leaders_ready(int broker, std::string_view topic, const json::value& metadata);
  bool serves(int broker, std::string_view topic, const json::value& partition);
  bool is_led(const json::object& step, const std::string& path, const json::value* leader, std::int64_t isr);
  int named_coordinator(int broker, std::string_view group);
  bool is_coordinator(int broker, std::string_view group);

  Exchange& exchange_;
  Target& target_;
  Variables& variables_;
};

}  // namespace wt::conformance
