// PUZZLE: find crash (SIGABRT) in nested; run --domain cmp --runs 1000000; not --runs 1000000
// Lengths within lengths, of two bytes each, that must be exactly right: a box, a box in it, and so on, four deep, each
// filled by the next. Coverage sees a length that is wrong; comparisons see by how much.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

#define DEEP 4
#define PAYLOAD 300

static __attribute__((noinline)) void nested(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2 * DEEP + PAYLOAD) return 0;
  for (int depth = 0; depth < DEEP; depth++) {
    uint16_t length = (uint16_t)(data[0] << 8 | data[1]);
    if (length != (uint16_t)(size - 2)) return 0;
    data += 2;
    size -= 2;
  }
  if (size % 7 == 3) nested();
  return 0;
}
