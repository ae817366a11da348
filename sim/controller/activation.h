// The activation barrier: before the first leader, all live brokers must have shown the same profile.
//
// Until then every broker stays fenced, so that no partition has a leader and clients get a retriable
// answer. The decision is one record in the metadata log; a controller that starts later finds it
// there. A broker that comes later must show the same profile or stays fenced.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/controller/image.h"

namespace wt::controller {

// One field in which a broker differs from the others (or from the activated profile).
struct ProfileMismatch {
  BrokerId broker = kNoBroker;
  std::string field;
  std::string expected;  // empty: the field is absent
  std::string found;
  friend bool operator==(const ProfileMismatch&, const ProfileMismatch&) = default;
};

enum class ActivationState : std::uint8_t {
  waiting,   // not enough live brokers yet
  mismatch,  // live brokers disagree: the barrier is closed
  agreed,    // the record is yet to be written
  active,
};

struct ActivationReport {
  ActivationState state = ActivationState::waiting;
  std::uint64_t digest = 0;                 // of the activated (or proposed) profile
  std::vector<BrokerId> brokers;            // that agree
  std::vector<ProfileMismatch> mismatches;  // also of late comers once active
  // "broker 2: storage.profile is 'object', expected 'ledger'; …", or the state.
  std::string text() const;
};

// `live`: brokers with a session. `minimum`: how many are needed.
ActivationReport activation_report(const MetadataImage& image, const std::set<BrokerId>& live,
                                   std::size_t minimum);
// The record to write now, if the report says agreed.
std::optional<ActivationRecord> activation_record(const MetadataImage& image, const ActivationReport& report);
// Whether the broker may be unfenced.
bool matches_activation(const MetadataImage& image, const BrokerState& broker);

}  // namespace wt::controller
