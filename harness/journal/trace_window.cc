#include "harness/journal/trace_window.h"

namespace wt::harness {

void TraceWindow::on_record(const TraceRecord& record) {
  const std::uint64_t step = kernel_.steps();
  if (step < from_step_ || step > to_step_ || events_.size() >= most_records_) return;
  events_.push_back({step, record, to_text(record, kernel_.epoch(), kernel_.process_name(record.actor))});
}

namespace {

bool same(const TraceWindow::Event& a, const TraceWindow::Event& b) {
  return a.step == b.step && a.record.time_ns == b.record.time_ns &&
         a.record.label->hash == b.record.label->hash && a.record.actor == b.record.actor &&
         a.record.a == b.record.a && a.record.b == b.record.b && a.record.c == b.record.c;
}

}  // namespace

std::optional<TraceDifference> first_difference(const TraceWindow& first, const TraceWindow& second) {
  const auto& a = first.events();
  const auto& b = second.events();
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && same(a[at], b[at])) ++at;
  if (at == a.size() && at == b.size()) return std::nullopt;
  TraceDifference difference;
  difference.index = at;
  difference.step = at < a.size() ? a[at].step : b[at].step;
  if (at < a.size()) difference.first = a[at].text;
  if (at < b.size()) difference.second = b[at].text;
  return difference;
}

}  // namespace wt::harness
