// PUZZLE: find crash (SIGABRT) in behind; run --max-len 64 --runs 400000; not --no-trace --domain cmp --max-len 64 --runs 400000
// Steps that no comparison tells, each behind a checksum of all that was taken before: a mutant counts only when its
// checksum, compared as bytes, has been made right again.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void behind(void) { abort(); }

static __attribute__((noinline)) void checksum(const uint8_t *data, size_t size, uint8_t *sum) {
  uint32_t hash = 0x811c9dc5;
  for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 0x01000193;
  memcpy(sum, &hash, 4);
}

static __attribute__((noinline)) int step(const uint8_t *data, int n) {
  return (data[n] * 7 + data[n + 1] * 3 + n) % 11 == 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t sum[4];
  int n = 0;
  if (size < 16) return 0;
  checksum(data + 4, size - 4, sum);
  if (memcmp(data, sum, 4) != 0) return 0;
  if (step(data + 4, n++))
    if (step(data + 4, n++))
      if (step(data + 4, n++))
        if (step(data + 4, n++))
          if (step(data + 4, n++)) behind();
  return 0;
}
