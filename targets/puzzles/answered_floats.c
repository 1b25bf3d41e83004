// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 400000
// Floating-point numbers of both sizes, one to be met and one to lie between two bounds.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  double exact;
  float between;
  if (size < 12) return 0;
  memcpy(&exact, data, 8);
  memcpy(&between, data + 8, 4);
  if (exact != 3.14159265358979) return 0;
  if (!(between > 1.0e10f) || !(between < 1.1e10f)) return 0;
  answered();
  return 0;
}
