// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 400000
// Keywords behind their lengths: what a comparison wants must be written together with how long it is.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size < 1u + data[0]) return 0;
  if (data[0] != 9 || memcmp(data + 1, "signature", 9)) return 0;
  data += 10, size -= 10;
  if (size < 2) return 0;
  size_t length = data[0] | data[1] << 8;
  if (size < 2 + length) return 0;
  if (length != 11 || memcmp(data + 2, "certificate", 11)) return 0;
  answered();
  return 0;
}
