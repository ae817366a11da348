// Runs a fuzz target over its corpus and over a fixed number of deterministic mutations of each
// file, so that every build and both compilers exercise every decoder without libFuzzer.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size_bytes);

namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

void run(const Bytes& input) {
  // A copy of exact size, so that AddressSanitizer sees a read past the end.
  std::vector<std::uint8_t> exact(input.begin(), input.end());
  exact.shrink_to_fit();
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

void mutate(Bytes& input, std::uint64_t& state) {
  const int edits = 1 + static_cast<int>(next_random(state) % 4);
  for (int i = 0; i < edits; ++i) {
    const std::uint64_t kind = next_random(state) % 4;
    const std::size_t at = input.empty() ? 0 : next_random(state) % input.size();
    if (kind == 0 && !input.empty()) {
      input[at] = static_cast<std::uint8_t>(next_random(state));
    } else if (kind == 1 && !input.empty()) {
      input.resize(at);
    } else if (kind == 2) {
      input.insert(input.begin() + static_cast<std::ptrdiff_t>(at),
                   static_cast<std::uint8_t>(next_random(state)));
    } else if (!input.empty()) {
      input[at] ^= static_cast<std::uint8_t>(1U << (next_random(state) % 8));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kMutationsPerFile = 2000;
  int files = 0;
  run({});
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::exists(argv[i])) continue;
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream in(entry.path(), std::ios::binary);
      const Bytes original((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
      ++files;
      run(original);
      std::uint64_t state = 0x9E3779B97F4A7C15ULL + original.size();
      for (int m = 0; m < kMutationsPerFile; ++m) {
        Bytes changed = original;
        mutate(changed, state);
        run(changed);
      }
    }
  }
  std::printf("%d corpus files, %d mutations each\n", files, kMutationsPerFile);
  return files > 0 ? 0 : 1;
}
