// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words are compared from their ends.
#include "tokens_reader.h"

static int matches(const char *start, size_t length, const char *rest, size_t more) {
  if (length != more + 1) return 0;
  while (more > 0) {
    if (start[more] != rest[more - 1]) return 0;
    more--;
  }
  return 1;
}

// The first letter says which word it might be; the others are compared from the last one on.
static enum kind word(const char *start, size_t length) {
  switch (*start) {
    case 'w': return matches(start, length, "hen", 3) ? WHEN : NAME;
    case 't': return matches(start, length, "hen", 3) ? THEN : NAME;
    case 'e': return matches(start, length, "nd", 2) ? DONE : NAME;
    case 'h': return matches(start, length, "alt", 3) ? HALT : NAME;
    default: return NAME;
  }
}

static int begin(void) { return 1; }
