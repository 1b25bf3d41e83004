// PUZZLE: reach mem 262136 in allocate; run --no-trace --domain cmp,mem --runs 1000000; not --no-trace --domain cmp --runs 1000000; not --no-trace --domain mem --runs 1000000
// Behind a magic number that only comparisons lead to, sizes that only memory leads to: neither is enough alone. The
// largest allocation is four planes of 0xFFFE bytes each.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

#define PLANES 4

struct header {
  uint32_t magic;
  uint16_t sizes[PLANES];
};

__attribute__((noinline)) static void *allocate(const struct header *header) {
  size_t all = 0;
  if (header->magic != 0xCAFEBABE) return NULL;
  for (int i = 0; i < PLANES; i++) {
    if (header->sizes[i] % 3 == 2) all += header->sizes[i];
  }
  return malloc(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct header header;
  if (size < sizeof header) return 0;
  memcpy(&header, data, sizeof header);
  free(allocate(&header));
  return 0;
}
