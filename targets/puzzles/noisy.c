// PUZZLE: find crash in steady; run --runs 1500000
// Counters that change from run to run for one and the same input must not flood the corpus or hide what is steady.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

static unsigned state = 12345;
static volatile unsigned sink;

static __attribute__((noinline)) void steady(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  state = state * 1103515245u + 12345u;
  for (unsigned i = 0; i < (state >> 16) % 200; i++) sink += i;
  if (state >> 16 & 1) sink = 1;
  if (state >> 17 & 1) sink = 2;
  if (size >= 3 && data[0] == 'a') {
    if (data[1] == 'b') {
      if (data[2] == 'c') steady();
    }
  }
  return 0;
}
