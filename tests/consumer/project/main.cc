// A program that links the installed library; it starts a cluster as soon as there is a header for it.
#include <cstdio>

#if __has_include(<wavetank/cluster.h>)
#include <wavetank/cluster.h>
#endif

int main() {
#if __has_include(<wavetank/cluster.h>)
  wavetank::Options options;
  options.seed = 42;
  wavetank::Cluster cluster(options);
#endif
  std::puts("consumer: linked");
  return 0;
}
