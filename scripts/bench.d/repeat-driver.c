// Runs a harness on one file a number of times, for counting instructions. Linked in place of a fuzzing engine.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
  static uint8_t data[1 << 22];
  FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) {
    fprintf(stderr, "usage: %s FILE TIMES\n", argv[0]);
    return 1;
  }
  size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  for (int i = atoi(argv[2]); i > 0; i--) LLVMFuzzerTestOneInput(data, size);
  return 0;
}
