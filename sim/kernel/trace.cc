#include "sim/kernel/trace.h"

#include <algorithm>
#include <string>

namespace wt {

Trace::Trace(std::size_t ring_records) : ring_capacity_(ring_records > 0 ? ring_records : 1) {}

void Trace::record(const TraceRecord& record) {
  if (hashing_) {
    std::uint64_t hash = fold64(hash_, static_cast<std::uint64_t>(record.time_ns));
    hash = fold64(hash, record.label->hash);
    hash = fold64(hash, record.actor);
    hash = fold64(hash, record.a);
    hash = fold64(hash, record.b);
    hash_ = fold64(hash, record.c);
  }
  if (ring_.size() < ring_capacity_) {
    ring_.push_back(record);
  } else {
    ring_[records_ % ring_capacity_] = record;
  }
  ++records_;
  for (TraceObserver* observer : observers_) observer->on_record(record);
}

void Trace::fold_event(TimeNs time_ns, std::uint64_t sequence) noexcept {
  if (!hashing_) return;
  hash_ = fold64(hash_, static_cast<std::uint64_t>(time_ns) ^ (sequence << 1));
}

std::vector<TraceRecord> Trace::last() const {
  if (records_ <= ring_capacity_) return ring_;
  std::vector<TraceRecord> ordered;
  ordered.reserve(ring_.size());
  for (std::size_t i = 0; i < ring_.size(); ++i) ordered.push_back(ring_[(records_ + i) % ring_capacity_]);
  return ordered;
}

void Trace::unobserve(TraceObserver* observer) {
  observers_.erase(std::remove(observers_.begin(), observers_.end(), observer), observers_.end());
}

std::string to_text(const TraceRecord& record, TimeNs epoch_ns, std::string_view actor_name) {
  const DurationNs since_ns = record.time_ns - epoch_ns;
  std::string fraction = std::to_string(since_ns % kSecond_ns);
  fraction.insert(0, 9 - std::min<std::size_t>(9, fraction.size()), '0');
  std::string text = "+" + std::to_string(since_ns / kSecond_ns) + "." + fraction + "s step ";
  text +=
      std::to_string(record.step_low) + " " + std::string(actor_name) + " " + std::string(record.label->name);
  for (const std::uint64_t field : {record.a, record.b, record.c}) {
    text += " " + std::to_string(static_cast<std::int64_t>(field));
  }
  return text;
}

}  // namespace wt
