// Does next to nothing, so that a run costs what the fuzzer itself costs. Has no bug.
#include <stddef.h>
#include <stdint.h>

static volatile int depth;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  depth = 0;
  if (size < 4) return 0;
  if (data[0] == 'W') {
    depth = 1;
    if (data[1] == 'a') {
      depth = 2;
      if (data[2] == 'y') {
        depth = 3;
        if (data[3] > 0x7f) depth = 4;
      }
    }
  }
  return 0;
}
