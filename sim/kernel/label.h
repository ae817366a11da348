// Names of trace records, fault points, tasks and random streams.
//
// A label is identified by the hash of its name, computed at compile time, so that neither the
// order of registration nor an address can reach the trace. `"append.wal.durable"_label`.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/kernel/hash.h"

namespace wt {

struct LabelInfo {
  std::uint64_t hash;
  std::string_view name;
};

class Label {
 public:
  constexpr explicit Label(const LabelInfo* info) : info_(info) {}
  constexpr std::uint64_t hash() const noexcept { return info_->hash; }
  constexpr std::string_view name() const noexcept { return info_->name; }
  constexpr const LabelInfo* info() const noexcept { return info_; }
  friend constexpr bool operator==(Label a, Label b) noexcept { return a.hash() == b.hash(); }

 private:
  const LabelInfo* info_;
};

namespace label_detail {
template <std::size_t kSize>
struct FixedText {
  char text[kSize];
  consteval FixedText(const char (&literal)[kSize]) {
    for (std::size_t i = 0; i < kSize; ++i) text[i] = literal[i];
  }
  constexpr std::string_view view() const { return {text, kSize - 1}; }
};

template <FixedText kName>
struct Holder {
  static constexpr FixedText name = kName;
  static constexpr LabelInfo info{hash_text(name.view()), name.view()};
};
}  // namespace label_detail

template <label_detail::FixedText kName>
consteval Label operator""_label() {
  return Label(&label_detail::Holder<kName>::info);
}

}  // namespace wt
