/* The same through the C interface. */
#include <stdio.h>

#if __has_include(<wavetank/wavetank.h>)
#include <wavetank/wavetank.h>
#endif

int main(void) {
  puts("consumer: linked from C");
  return 0;
}
