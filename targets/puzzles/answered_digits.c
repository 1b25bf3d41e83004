// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 400000
// Numbers written out in decimal and in hexadecimal digits.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[64], *rest;
  if (size >= sizeof text) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  if (strtol(text, &rest, 10) != 123456789 || *rest != ' ') return 0;
  if (strtoul(rest + 1, &rest, 16) != 0xfeedbeef) return 0;
  answered();
  return 0;
}
