// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 400000
// A checksum over the rest of the input, which both sides of a comparison depend on, and a number that depends on it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t stored, dependent, sum = 0;
  if (size < 16) return 0;
  memcpy(&stored, data, 4);
  memcpy(&dependent, data + 4, 4);
  for (size_t i = 8; i < size; i++) sum = sum * 31 + data[i];
  if (stored != sum) return 0;
  if (dependent != (stored ^ 0xdeadbeef)) return 0;
  answered();
  return 0;
}
