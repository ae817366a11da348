#include "harness/journal/output_hash.h"

#include <xxhash.h>

namespace wt::harness {

namespace {
constexpr std::size_t kMaxSpare = 64;
}

void OutputHashes::FreeState::operator()(XXH3_state_s* state) const noexcept {
  XXH3_freeState(state);
}

OutputHashes::OutputHashes() = default;
OutputHashes::~OutputHashes() = default;

ConnectionOutput OutputHashes::update(std::uint64_t connection, const SliceList& bytes) {
  auto [found, added] = connections_.try_emplace(connection);
  Rolling& rolling = found->second;
  if (added) {
    rolling.output.connection = connection;
    if (spare_.empty()) {
      rolling.state.reset(XXH3_createState());
    } else {
      rolling.state = std::move(spare_.back());
      spare_.pop_back();
    }
    XXH3_64bits_reset(rolling.state.get());
  }
  if (!rolling.state) return rolling.output;
  for (const Slice& slice : bytes) {
    XXH3_64bits_update(rolling.state.get(), slice.data(), slice.size());
    rolling.output.total_bytes += slice.size();
  }
  rolling.output.hash = XXH3_64bits_digest(rolling.state.get());
  return rolling.output;
}

void OutputHashes::finish(std::uint64_t connection) {
  const auto found = connections_.find(connection);
  if (found == connections_.end() || !found->second.state) return;
  if (spare_.size() < kMaxSpare) spare_.push_back(std::move(found->second.state));
  found->second.state.reset();
}

std::vector<ConnectionOutput> OutputHashes::all() const {
  std::vector<ConnectionOutput> outputs;
  outputs.reserve(connections_.size());
  for (const auto& [connection, rolling] : connections_) outputs.push_back(rolling.output);
  return outputs;
}

std::uint64_t hash_bytes(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace wt::harness
