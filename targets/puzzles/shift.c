// PUZZLE: find crash in scale; run --runs 1000000; build -fsanitize=undefined
// Undefined behaviour that changes nothing a signal would show: UndefinedBehaviorSanitizer's report is the finding.
#include <stdint.h>

#include <waypoint.h>

static __attribute__((noinline)) int scale(int value, int by) { return value << by; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  volatile int result = 0;
  if (size >= 3 && data[0] == 's' && data[1] == 'h') result = scale(1, data[2] % 64);
  return result * 0;
}
