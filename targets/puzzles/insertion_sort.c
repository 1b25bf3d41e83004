// PUZZLE: reach perf 2016 in step; run --domain perf --max-len 64 --runs 3000000
// Insertion sort of up to 64 bytes in its worst case, exactly: 64 * 63 / 2 steps, which only 64 bytes in strictly falling
// order take. A step is a call, so that its count is the number of steps even where the compiler unrolls the loop.
#include <stdint.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void step(uint8_t *place) { place[0] = place[-1]; }

static __attribute__((noinline)) void sort(uint8_t *bytes, size_t size) {
  for (size_t i = 1; i < size; i++) {
    uint8_t moved = bytes[i];
    size_t at = i;
    for (; at > 0 && bytes[at - 1] > moved; at--) step(bytes + at);
    bytes[at] = moved;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t bytes[64];
  if (size > sizeof bytes) return 0;
  memcpy(bytes, data, size);
  sort(bytes, size);
  return 0;
}
