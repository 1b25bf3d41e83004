// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 200000
// Numbers of which each is asked for in terms of the one before it: none can be read in the program.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

static uint32_t word(const uint8_t *p) { return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 16) return 0;
  uint32_t first = word(data), second = word(data + 4), third = word(data + 8), fourth = word(data + 12);
  if (first < 0x01000000) return 0;
  if (second != first * 2654435761u) return 0;
  if (third != (second ^ first >> 3)) return 0;
  if (fourth - third != 0x600dcafe) return 0;
  answered();
  return 0;
}
