// A rolling hash (XXH3) of all that each connection was sent, independent of how it was cut.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "harness/journal/entry.h"

struct XXH3_state_s;

namespace wt::harness {

class OutputHashes {
 public:
  OutputHashes();
  OutputHashes(const OutputHashes&) = delete;
  OutputHashes& operator=(const OutputHashes&) = delete;
  ~OutputHashes();

  // Adds bytes and gives total and hash so far.
  ConnectionOutput update(std::uint64_t connection, const SliceList& bytes);
  // No more bytes will come: keeps the result and frees the rest.
  void finish(std::uint64_t connection);
  // All connections that were sent anything, ascending.
  std::vector<ConnectionOutput> all() const;

 private:
  struct FreeState {
    void operator()(XXH3_state_s* state) const noexcept;
  };
  using State = std::unique_ptr<XXH3_state_s, FreeState>;
  struct Rolling {
    State state;  // null once finished
    ConnectionOutput output;
  };
  std::map<std::uint64_t, Rolling> connections_;
  std::vector<State> spare_;
};

// Of one text, such as an answer.
std::uint64_t hash_bytes(std::string_view text);

}  // namespace wt::harness
