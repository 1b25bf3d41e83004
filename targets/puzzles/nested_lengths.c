// PUZZLE: find crash (SIGABRT) in innermost; run --no-trace --domain cmp --max-len 64 --runs 2000000; not --no-trace --max-len 64 --runs 2000000
// Boxes within boxes: the length of each, 16 bits, must leave exactly room for its own head in the one around it, and the
// innermost says how many records it holds. Coverage sees that a length is wrong; comparisons see how wrong.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

#define HEAD 6
#define RECORD 12

static __attribute__((noinline)) void innermost(void) { abort(); }

static uint16_t number(const uint8_t *bytes) { return (uint16_t)(bytes[0] | bytes[1] << 8); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4 * HEAD || size > 64) return 0;
  uint16_t file = number(data), list = number(data + HEAD), chunk = number(data + 2 * HEAD);
  uint16_t records = number(data + 3 * HEAD);
  if (file < 1000) return 0;
  if (list != (uint16_t)(file - HEAD)) return 0;
  if (chunk != (uint16_t)(list - HEAD)) return 0;
  if (records != chunk / RECORD) return 0;
  innermost();
  return 0;
}
