// PUZZLE: find crash in last_word; run --runs 500000; build -fsanitize=address
// A read past the end of the input itself: it must have an allocation of exactly its size.
#include <stdint.h>

#include <waypoint.h>

static __attribute__((noinline)) int last_word(const volatile uint8_t *data, size_t size) { return data[size + 1]; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 5 && data[0] == 'R') return last_word(data, size) * 0;
  return 0;
}
