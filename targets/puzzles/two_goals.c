// PUZZLE: find crash (SIGABRT) in test; run --no-trace --domain cmp --runs 200000
// Figure 4.1 of the thesis, with unsigned numbers: comparisons that come closer lead to the abort.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void *test(uint16_t a, uint16_t b) {
  if (a % 3 == 2) {
    if (a > 0x1000) {
      if (b >= 0x0123) {
        if (a == b) {
          abort();
        } else {
          return malloc(a);
        }
      }
    }
  }
  return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint16_t numbers[2];
  if (size < sizeof numbers) return 0;
  memcpy(numbers, data, sizeof numbers);
  free(test(numbers[0], numbers[1]));
  return 0;
}
