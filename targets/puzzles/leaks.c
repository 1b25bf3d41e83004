// PUZZLE: find nothing; run --runs 30000 --rss-limit 100M
// Every run leaks a little: workers are replaced before the limit hurts, and no run is to blame.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static char *volatile leaked;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *leak = malloc(16 << 10);
  if (leak) memset(leak, size ? data[0] : 0, 16 << 10);
  leaked = leak;
  return 0;
}
