// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 200000
// What other routines than strcmp look for: whatever the case, and anywhere in a text or in memory.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[160] = "";
  if (size >= 128) return 0;
  memcpy(text, data, size);
  if (strncasecmp(text, "Content-", 8)) return 0;
  char *found = strstr(text + 8, "boundary=");
  if (!found) return 0;
  if (memcmp(found + 9, "frontier", 8)) return 0;
  if (!memmem(data, size, "\r\n\r\n--", 6)) return 0;
  answered();
  return 0;
}
