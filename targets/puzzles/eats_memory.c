// PUZZLE: find oom; run --runs 300000 --rss-limit 200M --timeout 10s
// One run that needs more memory than allowed, without ever failing to get it.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static char *volatile blocks;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2 || data[0] != 'M' || data[1] != 'M') return 0;
  for (int i = 0; i < 4000; i++) {
    char *block = malloc(1 << 20);
    if (!block) return 0;
    memset(block, i, 1 << 20);
    blocks = block;
    for (volatile int pause = 0; pause < 3000000; pause++) {
    }
  }
  return 0;
}
