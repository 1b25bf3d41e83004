// PUZZLE: find crash in nest; run --runs 1000000
// The stack overflows: the handler that writes the report needs a stack of its own.
#include <stdint.h>

#include <waypoint.h>

static __attribute__((noinline)) int nest(volatile int *depth, int forever) {
  volatile char frame[512];
  frame[0] = (char)++*depth;
  if (!forever && *depth > 3) return frame[0];
  return nest(depth, forever) + frame[0];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  volatile int depth = 0;
  return nest(&depth, size >= 2 && data[0] == '[' && data[1] == '[') * 0;
}
