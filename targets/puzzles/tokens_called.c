// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 1000000; not --no-trace --runs 1000000
// A language whose words stand in order and are compared no further than the shorter one is long; one of them counts only
// with a sign right behind it, as the name of a function does with its bracket.
#include "tokens_reader.h"

static const char *const kWords[] = {"end", "halt", "then", "when"};
static const enum kind kKinds[] = {DONE, HALT, THEN, WHEN};

static enum kind word(const char *start, size_t length) {
  int from = 0, to = 4;
  while (from < to) {
    const int middle = (from + to) / 2;
    const size_t own = strlen(kWords[middle]);
    int order = memcmp(start, kWords[middle], length < own ? length : own);
    if (order == 0) order = length < own ? -1 : length > own;
    if (order == 0) {
      if (kKinds[middle] == HALT && (at == end || *at != ';')) return NAME;
      return kKinds[middle];
    }
    if (order < 0) {
      to = middle;
    } else {
      from = middle + 1;
    }
  }
  return NAME;
}

static int begin(void) { return 1; }
