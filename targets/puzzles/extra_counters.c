// PUZZLE: find crash (SIGABRT) in opened; run --max-len 32 --runs 2000000; not --record extra --max-len 32 --runs 2000000
// A harness made for libFuzzer that tells of its progress by extra counters, which guide without an option. The code of the
// lock is compared without a branch.
#include <stdint.h>
#include <stdlib.h>

static const uint8_t code[] = {0x9d, 0x21, 0xf4, 0x6b};

__attribute__((section("__libfuzzer_extra_counters"))) uint8_t progress[sizeof code + 1];

static __attribute__((noinline)) void opened(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned right = 0, all = 1;
  for (size_t i = 0; i < sizeof code; i++) {
    all &= (i < size ? data[i] : 0) == code[i];
    right += all;
  }
  progress[right] = 1;
  if (right == sizeof code) opened();
  return 0;
}
