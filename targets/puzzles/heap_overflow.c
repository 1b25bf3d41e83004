// PUZZLE: find crash in copy_name; run --runs 1000000; build -fsanitize=address
// A write past a heap block, which only AddressSanitizer sees.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) int copy_name(const uint8_t *data, size_t size) {
  volatile char *name = malloc(8);
  for (size_t i = 0; i < size; i++) name[i] = (char)data[i];
  int first = name[0];
  free((void *)name);
  return first;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3 || data[0] != 'N' || size > 12) return 0;
  return copy_name(data + 1, size - 1) * 0;
}
