// PUZZLE: reach keywords 2047 in 0; run --rare --no-trace --record keywords --max-len 64 --runs 4000000; not --no-trace --record keywords --max-len 64 --runs 4000000
// Figure 5.1 of the thesis in small: keywords behind a keyword, letter by letter. Whoever holds on to what leads there
// finds them all; `keywords` only notes down, a bit for each, which were found.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <waypoint.h>

static const char *at, *end;

// Every letter is a branch of its own, as in libxml2's CMP macros.
#define IS(n, c) (end - at > (n) && at[n] == (c))
#define CMP4(a, b, c, d) (IS(0, a) && IS(1, b) && IS(2, c) && IS(3, d))
#define CMP5(a, b, c, d, e) (CMP4(a, b, c, d) && IS(4, e))
#define CMP6(a, b, c, d, e, f) (CMP5(a, b, c, d, e) && IS(5, f))
#define CMP7(a, b, c, d, e, f, g) (CMP6(a, b, c, d, e, f) && IS(6, g))
#define CMP8(a, b, c, d, e, f, g, h) (CMP7(a, b, c, d, e, f, g) && IS(7, h))
#define CMP9(a, b, c, d, e, f, g, h, i) (CMP8(a, b, c, d, e, f, g, h) && IS(8, i))

static dsf_t keywords;

static int found(int bit, size_t length) {
  at += length;
  dsf_union(keywords, 0, 1u << bit);
  return 1;
}

static int type(void) {
  if (CMP5('C', 'D', 'A', 'T', 'A')) return found(0, 5);
  if (CMP6('I', 'D', 'R', 'E', 'F', 'S')) return found(1, 6);
  if (CMP5('I', 'D', 'R', 'E', 'F')) return found(2, 5);
  if (IS(0, 'I') && IS(1, 'D')) return found(3, 2);
  if (CMP6('E', 'N', 'T', 'I', 'T', 'Y')) return found(4, 6);
  if (CMP8('E', 'N', 'T', 'I', 'T', 'I', 'E', 'S')) return found(5, 8);
  if (CMP8('N', 'M', 'T', 'O', 'K', 'E', 'N', 'S')) return found(6, 8);
  if (CMP7('N', 'M', 'T', 'O', 'K', 'E', 'N')) return found(7, 7);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!keywords) keywords = dsf_new_domain("keywords", 1, dsf_bit_union, 0);
  at = (const char *)data;
  end = at + size;
  if (!CMP9('<', '!', 'D', 'O', 'C', 'T', 'Y', 'P', 'E')) return 0;
  at += 9;
  while (at < end && *at != '[') at++;
  at += at < end;
  if (!CMP9('<', '!', 'A', 'T', 'T', 'L', 'I', 'S', 'T')) return 0;
  at += 9;
  while (at < end && *at != '>') {
    if (!type()) break;
    if (CMP9('#', 'R', 'E', 'Q', 'U', 'I', 'R', 'E', 'D')) found(8, 9);
    if (CMP8('#', 'I', 'M', 'P', 'L', 'I', 'E', 'D')) found(9, 8);
    if (CMP6('#', 'F', 'I', 'X', 'E', 'D')) found(10, 6);
    at += at < end;
  }
  return 0;
}
