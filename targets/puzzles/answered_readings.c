// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 200000
// Floating-point numbers as text, and one in the other byte order.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[64], *rest;
  uint64_t bits = 0;
  double stored;
  if (size >= sizeof text) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  if (strtod(text, &rest) != 6.25e7 || *rest != ' ') return 0;
  if (strtof(rest + 1, &rest) != -0.0625f || *rest != ' ') return 0;
  size_t at = rest + 1 - text;
  if (size < at + 8) return 0;
  for (size_t i = 0; i < 8; i++) bits = bits << 8 | data[at + i];
  memcpy(&stored, &bits, 8);
  if (stored != -273.15) return 0;
  answered();
  return 0;
}
