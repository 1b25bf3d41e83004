// PUZZLE: find hang in spin, crash in behind; run --runs 400000 --timeout 200ms
// A hang costs one worker; what lies beside it must still be found.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

static __attribute__((noinline)) void spin(volatile int *forever) {
  while (*forever) {
  }
}

static __attribute__((noinline)) void behind(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  volatile int forever = 1;
  if (size >= 2 && data[0] == 'h' && data[1] == 'a') spin(&forever);
  if (size >= 2 && data[0] == 'c' && data[1] == 'r') behind();
  return 0;
}
