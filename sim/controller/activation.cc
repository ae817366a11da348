#include "sim/controller/activation.h"

namespace wt::controller {
namespace {

void compare(const BrokerState& broker, const BrokerProfile& expected, std::vector<ProfileMismatch>& out) {
  std::set<std::string> fields;
  for (const auto& [field, value] : expected) fields.insert(field);
  for (const auto& [field, value] : broker.profile) fields.insert(field);
  const auto value_of = [](const BrokerProfile& profile, const std::string& field) {
    const auto found = profile.find(field);
    return found == profile.end() ? std::string() : found->second;
  };
  for (const std::string& field : fields) {
    const bool same = expected.contains(field) == broker.profile.contains(field) &&
                      value_of(expected, field) == value_of(broker.profile, field);
    if (same) continue;
    out.push_back(
        ProfileMismatch{broker.broker, field, value_of(expected, field), value_of(broker.profile, field)});
  }
}

}  // namespace

std::string ActivationReport::text() const {
  std::string text = state == ActivationState::waiting    ? "waiting for brokers"
                     : state == ActivationState::mismatch ? "brokers disagree"
                     : state == ActivationState::agreed   ? "brokers agree"
                                                          : "active";
  for (const ProfileMismatch& m : mismatches) {
    text += "; broker " + std::to_string(m.broker) + ": " + m.field + " is '" + m.found + "', expected '" +
            m.expected + "'";
  }
  return text;
}

ActivationReport activation_report(const MetadataImage& image, const std::set<BrokerId>& live,
                                   std::size_t minimum) {
  ActivationReport report;
  const ActivationRecord* record = image.activation();
  const BrokerProfile* expected = record == nullptr ? nullptr : &record->profile;
  std::size_t seen = 0;
  for (const auto& [id, broker] : image.brokers()) {
    if (!live.contains(id)) continue;
    ++seen;
    if (expected == nullptr) expected = &broker.profile;
    if (broker.profile == *expected) {
      report.brokers.push_back(id);
    } else {
      compare(broker, *expected, report.mismatches);
    }
  }
  if (expected != nullptr) report.digest = profile_digest(*expected);
  if (record != nullptr) {
    report.state = ActivationState::active;
  } else if (!report.mismatches.empty()) {
    report.state = ActivationState::mismatch;
  } else if (seen > 0 && seen >= minimum) {
    report.state = ActivationState::agreed;
  }
  return report;
}

std::optional<ActivationRecord> activation_record(const MetadataImage& image,
                                                  const ActivationReport& report) {
  if (report.state != ActivationState::agreed) return std::nullopt;
  ActivationRecord record;
  record.profile = image.broker(report.brokers.front())->profile;
  record.brokers = report.brokers;
  record.snapshot_offset = image.end_offset();
  record.snapshot_digest = image.digest();
  return record;
}

bool matches_activation(const MetadataImage& image, const BrokerState& broker) {
  return image.activation() != nullptr && broker.profile == image.activation()->profile;
}

}  // namespace wt::controller
