// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 400000
// Chunks with tags of four bytes, of which each is known only behind the one before it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int state = 0;
  for (size_t at = 0; at + 8 <= size; at += 8) {
    uint32_t tag = (uint32_t)data[at] << 24 | data[at + 1] << 16 | data[at + 2] << 8 | data[at + 3];
    switch (state) {
      case 0:
        if (tag != 0x49484452) return 0;
        state = 1;
        break;
      case 1:
        switch (tag) {
          case 0x504c5445: state = 2; break;
          case 0x67414d41: state = 3; break;
          case 0x49454e44: return 0;
        }
        break;
      case 2:
        if (tag == 0x49444154) state = 3;
        break;
      default:
        if (tag == 0x49454e44) answered();
    }
  }
  return 0;
}
