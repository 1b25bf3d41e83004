// PUZZLE: find crash in lookup; run --runs 2000000
// A null pointer: the signal is SIGSEGV, and the stack must name the function.
#include <stdint.h>

#include <waypoint.h>

static __attribute__((noinline)) int lookup(const volatile int *table, unsigned index) { return table[index]; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const int table[4] = {1, 2, 3, 4};
  if (size < 2) return 0;
  const int *chosen = data[0] == 'n' && data[1] == 'o' ? 0 : table;
  return lookup(chosen, data[1] % 4) * 0;
}
