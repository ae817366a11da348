// Who is alive: sessions of brokers.
#include <algorithm>

#include "sim/controller/controller.h"

namespace wt::controller {

// After a start nobody is known to be silent: all that were unfenced get a full session.
void Controller::open_sessions() {
  sessions_.clear();
  dead_.clear();
  for (const auto& [id, broker] : image_->brokers()) {
    if (!broker.fenced) touch(id, broker.broker_epoch);
  }
}

void Controller::touch(BrokerId broker, std::int64_t broker_epoch) {
  const BrokerState* state = image_->broker(broker);
  if (state == nullptr || state->broker_epoch != broker_epoch || declared_dead(broker, broker_epoch)) return;
  if (!has_session(broker)) push_activation();
  Session& session = sessions_[broker];
  session.broker_epoch = broker_epoch;
  session.last_contact_ns = process_.now();
}

bool Controller::has_session(BrokerId broker) const {
  return sessions_.contains(broker);
}

bool Controller::declared_dead(BrokerId broker, std::int64_t broker_epoch) const {
  const auto found = dead_.find(broker);
  return found != dead_.end() && found->second == broker_epoch;
}

std::set<BrokerId> Controller::live() const {
  std::set<BrokerId> ids;
  for (const auto& [id, session] : sessions_) ids.insert(id);
  return ids;
}

// What the dead process has sent may still arrive: it must not open the session again.
bool Controller::declare_dead(BrokerId broker) {
  const BrokerState* state = image_->broker(broker);
  if (state == nullptr) return false;
  dead_[broker] = state->broker_epoch;
  sessions_.erase(broker);
  push_activation();
  return true;
}

bool Controller::session_ends(const Work& work) {
  if (work.job == Job::broker_died) return declare_dead(work.broker);
  const auto found = sessions_.find(work.broker);
  if (found == sessions_.end() || found->second.broker_epoch != work.broker_epoch) return false;
  found->second.expiring = false;
  const TimeNs expiry_ns = found->second.last_contact_ns + options_.broker_session_timeout_ns;
  if (expiry_ns > process_.now()) return false;
  sessions_.erase(found);
  push_activation();
  return true;
}

Task<void> Controller::watch_sessions() {
  for (;;) {
    const TimeNs now_ns = process_.now();
    TimeNs next_ns = now_ns + options_.broker_session_timeout_ns;
    for (auto& [id, session] : sessions_) {
      if (session.expiring) continue;
      const TimeNs expiry_ns = session.last_contact_ns + options_.broker_session_timeout_ns;
      if (expiry_ns > now_ns) {
        next_ns = std::min(next_ns, expiry_ns);
        continue;
      }
      session.expiring = true;
      auto work = std::make_unique<Work>(Job::session_expired);
      work->broker = id;
      work->broker_epoch = session.broker_epoch;
      push(std::move(work));
    }
    co_await process_.sleep_until(next_ns);
  }
}

}  // namespace wt::controller
