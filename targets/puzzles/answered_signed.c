// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 200000
// Signed numbers between narrow bounds: below zero, in both byte orders, of 16, 32 and 64 bits.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int16_t small;
  int64_t wide;
  if (size < 14) return 0;
  memcpy(&small, data, 2);
  int32_t big = (int32_t)((uint32_t)data[2] << 24 | data[3] << 16 | data[4] << 8 | data[5]);
  memcpy(&wide, data + 6, 8);
  if (small >= -30000 || small < -30010) return 0;
  if (big >= -70000 || big <= -70020) return 0;
  if (wide > -5000000000 || wide < -5000000100) return 0;
  answered();
  return 0;
}
