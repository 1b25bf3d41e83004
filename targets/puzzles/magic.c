// PUZZLE: find crash in treasure; run --runs 4000000
// Six bytes in a row, each a branch of its own: coverage alone must climb them.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

static __attribute__((noinline)) void treasure(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char magic[] = "SESAME";
  if (size < 6) return 0;
  if (data[0] != magic[0]) return 0;
  if (data[1] != magic[1]) return 0;
  if (data[2] != magic[2]) return 0;
  if (data[3] != magic[3]) return 0;
  if (data[4] != magic[4]) return 0;
  if (data[5] != magic[5]) return 0;
  treasure();
  return 0;
}
