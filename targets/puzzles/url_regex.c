// PUZZLE: reach perf 5150 in match_here; run --domain perf --max-len 100 --runs 300000; not --max-len 100 --runs 300000
// A matcher that goes back and tries again looks for a URL, `[a-z]+://[a-z.]+/[a-z]*`, anywhere in 100 bytes. Each of n
// letters in a row is a start from which all the letters behind it are tried in vain: with 100 of them, 5150 calls.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <waypoint.h>

// A class of letters, to be taken once, or as often as possible (`+`, `*`).
struct part {
  char first, last, other, how_often;
};

static const struct part url[] = {{'a', 'z', 0, '+'}, {':', ':', 0, '1'}, {'/', '/', 0, '1'}, {'/', '/', 0, '1'},
                                  {'a', 'z', '.', '+'}, {'/', '/', 0, '1'}, {'a', 'z', 0, '*'}};
#define PARTS (sizeof url / sizeof *url)

static int fits(const struct part *part, const char *at, const char *end) {
  return at < end && ((*at >= part->first && *at <= part->last) || (part->other && *at == part->other));
}

static __attribute__((noinline)) int match_here(const struct part *part, const char *at, const char *end) {
  if (part == url + PARTS) return 1;
  if (part->how_often == '1') return fits(part, at, end) && match_here(part + 1, at + 1, end);
  const char *last = at;
  while (fits(part, last, end)) last++;
  for (; last >= at + (part->how_often == '+'); last--) {
    if (match_here(part + 1, last, end)) return 1;
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[100];
  if (size > sizeof text) return 0;
  memcpy(text, data, size);
  for (size_t from = 0; from < size; from++) {
    if (match_here(url, text + from, text + size)) return 0;
  }
  return 0;
}
