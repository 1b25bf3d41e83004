// PUZZLE: find crash (SIGABRT) in all_said; run --no-trace --domain cmp --max-len 64 --runs 6000000; not --no-trace --max-len 64 --runs 2000000
// Six keywords, one behind the other, each compared by another function of the C library: comparisons that come closer,
// byte by byte, lead there, while to coverage a word is right or wrong.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <waypoint.h>

static __attribute__((noinline)) void all_said(void) { abort(); }

// Lines of text, cut in place.
static char *next_line(char **rest) {
  char *line = *rest, *end = strchr(line, '\n');
  if (!end) return NULL;
  *end = 0;
  *rest = end + 1;
  return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[65], *rest = text, *line;
  if (size >= sizeof text) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  if (!(line = next_line(&rest)) || strcmp(line, "HELO") != 0) return 0;
  if (!(line = next_line(&rest)) || strncmp(line, "From:", 5) != 0) return 0;
  if (!(line = next_line(&rest)) || strcasecmp(line, "quit") != 0) return 0;
  if (!(line = next_line(&rest)) || !strstr(line, "=end=")) return 0;
  size_t left = size - (size_t)(rest - text);
  if (left < 10 || memcmp(rest, "\x89PNG\r\n", 6) != 0) return 0;
  if (memmem(rest + 6, left - 6, "IEND", 4)) all_said();
  return 0;
}
