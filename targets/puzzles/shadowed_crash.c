// PUZZLE: find crash (SIGABRT) in shallow, crash (SIGABRT) in deep; run --runs 300000
// Behind a checksum one byte alone is a crash, and hides a longer word behind it: answering the comparisons of the one
// input that has a right checksum ends with the byte, again and again, unless the next worker leaves that out.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void shallow(void) { abort(); }
static __attribute__((noinline)) void deep(void) { abort(); }

static uint32_t checksum(const uint8_t *data, size_t size) {
  uint32_t sum = 2166136261u;
  while (size--) sum = (sum ^ *data++) * 16777619u;
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t wanted;
  if (size < 12 || size > 64) return 0;
  memcpy(&wanted, data, 4);
  if (wanted != checksum(data + 4, size - 4)) return 0;
  if (data[4] == 'X') shallow();
  if (memcmp(data + 4, "HEADTAIL", 8) == 0) deep();
  return 0;
}
