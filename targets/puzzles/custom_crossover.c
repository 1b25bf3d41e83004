// PUZZLE: find crash in joined; run --runs 3000000
// Only the harness's own crossover puts its mark between two inputs.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static const char mark[] = "<joined-by-crossover>";

static __attribute__((noinline)) void joined(void) { abort(); }

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned int seed) {
  size_t mark_size = sizeof mark - 1;
  if (size1 + mark_size + size2 > max_out_size) return 0;
  memcpy(out, data1, size1);
  memcpy(out + size1, mark, mark_size);
  memcpy(out + size1 + mark_size, data2, size2);
  (void)seed;
  return size1 + mark_size + size2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t mark_size = sizeof mark - 1;
  for (size_t i = 0; i + mark_size < size; i++)
    if (memcmp(data + i, mark, mark_size) == 0 && data[i + mark_size] == 'x') joined();
  return 0;
}
