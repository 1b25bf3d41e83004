// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 200000
// Fields of 16 and 24 bits in both byte orders, one after a mask, one after a shift.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 15) return 0;
  unsigned little = data[0] | data[1] << 8;
  unsigned big = data[2] << 8 | data[3];
  unsigned little24 = data[4] | data[5] << 8 | data[6] << 16;
  unsigned big24 = data[7] << 16 | data[8] << 8 | data[9];
  unsigned masked = data[10] << 8 | data[11];
  unsigned shifted = data[12] << 16 | data[13] << 8 | data[14];
  if (little != 0xa17c) return 0;
  if (big != 0xbe05) return 0;
  if (little24 != 0xc0ffee) return 0;
  if (big24 != 0x1dea5e) return 0;
  if ((masked & 0x3fff) != 0x2b1d) return 0;
  if (shifted >> 4 != 0xd00d5) return 0;
  answered();
  return 0;
}
