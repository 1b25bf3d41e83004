// PUZZLE: reach out 30000 in 1; run --domain out --max-len 32 --runs 40000; not --max-len 32 --runs 40000
// A printer of boxes whose width and height are set by an input: their product is what comes out.
#include <stdint.h>
#include <stdio.h>

#include <waypoint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int width = 1, lines = 1;
  if (size > 32) return 0;
  for (size_t i = 0; i + 1 < size; i += 2) {
    if (data[i] == 'w') width += data[i + 1] & 31;
    if (data[i] == 'l') lines += data[i + 1] & 31;
    if (data[i] == 'p') {
      for (int l = 0; l < lines; l++) printf("%*d\n", width, l);
      width = lines = 1;
    }
  }
  return 0;
}
