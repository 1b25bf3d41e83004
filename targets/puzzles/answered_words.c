// PUZZLE: find crash (SIGABRT) in answered; run --runs 200000; not --no-trace --runs 400000
// Words in a row, of which each is compared only when the one before it was right.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[128];
  if (size >= sizeof text) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  char *second = strchr(text, ' ');
  if (!second) return 0;
  *second++ = 0;
  if (strcmp(text, "transfer")) return 0;
  char *third = strchr(second, ' ');
  if (!third) return 0;
  *third++ = 0;
  if (strcasecmp(second, "Everything")) return 0;
  if (strncmp(third, "now-please", 10)) return 0;
  answered();
  return 0;
}
