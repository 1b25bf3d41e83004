// PUZZLE: find crash (SIGABRT) in answered; run --runs 30000; not --no-trace --runs 300000
// Numbers of 32 and 64 bits in both byte orders, one behind the other, and one that is only compared after arithmetic.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

static uint32_t big(const uint8_t *p) { return (uint32_t)p[0] << 24 | p[1] << 16 | p[2] << 8 | p[3]; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t little;
  uint64_t wide;
  uint16_t shifted;
  if (size < 18) return 0;
  memcpy(&little, data, 4);
  memcpy(&wide, data + 8, 8);
  memcpy(&shifted, data + 16, 2);
  if (little != 0x8badf00d) return 0;
  if (big(data + 4) != 0xcafed00d) return 0;
  if (wide != 0x123456789abcdef1) return 0;
  if (shifted + 1234 != 0x9abc) return 0;
  answered();
  return 0;
}
