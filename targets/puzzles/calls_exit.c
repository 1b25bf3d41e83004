// PUZZLE: find exit 3, crash in behind; run --runs 600000
// A target that ends the process: found, and fuzzing goes on.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

static __attribute__((noinline)) void behind(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size >= 2 && data[0] == 'e' && data[1] == 'x') exit(3);
  if (size >= 2 && data[0] == 'c' && data[1] == 'r') behind();
  return 0;
}
