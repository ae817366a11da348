// A session behind the control API.
#pragma once

#include "harness/control/api.h"
#include "harness/embed/session.h"

namespace wt::harness {

class SessionBackend final : public ControlBackend {
 public:
  explicit SessionBackend(Session& session) : session_(session) {}

  std::string execute(std::string request) override { return session_.execute(std::move(request)); }
  std::string query(std::string request) override { return session_.query(std::move(request)); }
  std::string advance(DurationNs by_ns, bool silence_counts) override;
  std::string wait_rule(const RuleWait& wait) override;
  std::string flush_recording() override;

 private:
  Session& session_;
};

}  // namespace wt::harness
