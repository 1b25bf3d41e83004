// Sorts the bytes of the input by insertion: falling order costs quadratic time.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void sort(uint8_t *bytes, size_t size) {
  for (size_t i = 1; i < size; i++) {
    uint8_t moved = bytes[i];
    size_t at = i;
    while (at > 0 && bytes[at - 1] > moved) {
      bytes[at] = bytes[at - 1];
      at--;
    }
    bytes[at] = moved;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *bytes = malloc(size + 1);
  if (bytes == NULL) return 0;
  memcpy(bytes, data, size);
  sort(bytes, size);
  // The result is looked at, so that no compiler leaves the work out.
  volatile uint8_t least = size > 0 ? bytes[0] : 0;
  (void)least;
  free(bytes);
  return 0;
}
