// PUZZLE: find crash in corrupt; run --runs 300000
// Destroys the C library's heap and then uses it: the engine's own memory must not care.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void corrupt(void) {
  char *volatile blocks[8];
  for (int i = 0; i < 8; i++) blocks[i] = malloc(40);
  for (int i = 0; i < 8; i++) memset(blocks[i] - 16, 0x41, 64);
  for (int i = 0; i < 8; i++) free(blocks[i]);
  for (int i = 0; i < 8; i++) blocks[i] = malloc(3000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size >= 2 && data[0] == 'H' && data[1] == 'C') corrupt();
  return 0;
}
