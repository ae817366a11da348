#include "harness/journal/entry.h"

#include <iterator>

namespace wt::harness {

std::string_view clock_mode_name(ClockMode mode) {
  static constexpr std::string_view kNames[] = {"flow", "frozen", "virtual"};
  return kNames[static_cast<std::size_t>(mode)];
}

std::string_view entry_kind_name(EntryKind kind) {
  static constexpr std::string_view kNames[] = {
      "?",        "advance", "accept",           "bytes",        "half_close",
      "reset",    "execute", "output_unblocked", "park_expired", "address",
      "executed", "output",  "output_bytes",     "checkpoint",   "end",
      "overflow"};
  static_assert(std::size(kNames) == kLastEntryKind + 1);
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(kNames) ? kNames[index] : kNames[0];
}

std::string to_text(const Entry& entry, TimeNs epoch_ns) {
  const DurationNs since_ns = entry.time_ns - epoch_ns;
  std::string fraction = std::to_string(since_ns % kSecond_ns);
  fraction.insert(0, 9 - std::min<std::size_t>(9, fraction.size()), '0');
  std::string text = "#" + std::to_string(entry.sequence) + " step " + std::to_string(entry.step) + " +" +
                     std::to_string(since_ns / kSecond_ns) + "." + fraction + "s " +
                     std::string(entry_kind_name(entry.kind));
  if (entry.connection != 0) text += " connection " + std::to_string(entry.connection);
  if (entry.kind == EntryKind::execute) {
    text += " " + std::string(entry.payload.text());
  } else if (!entry.payload.empty()) {
    text += ", " + std::to_string(entry.payload.size()) + " bytes";
  }
  return text;
}

}  // namespace wt::harness
