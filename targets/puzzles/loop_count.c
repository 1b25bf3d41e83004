// PUZZLE: find crash in too_many; run --runs 3000000
// Only hit counts lead to the bug: nine identical bytes in a row take the same edges as one, only more often.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

static __attribute__((noinline)) void too_many(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t run = 0;
  for (size_t i = 0; i < size && data[i] == '('; i++) run++;
  if (run >= 9) too_many();
  return 0;
}
