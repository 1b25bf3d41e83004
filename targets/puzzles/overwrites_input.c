// PUZZLE: find overwrite, crash in behind; run --runs 200000
// Writes over its input, which is constant: found once, and what lies behind is found too.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

static __attribute__((noinline)) void behind(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  if (data[0] == 'o') ((volatile uint8_t *)(uintptr_t)data)[1] ^= 1;
  if (data[0] == 'c' && data[1] == 'r') behind();
  return 0;
}
