// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words are compared no further than the input's own word is long, each in a place of its own, and only then
// measured: a beginning of a word is equal to it, and no word.
#include "tokens_reader.h"

// What begins a word reaches what nothing else reaches.
static __attribute__((noinline)) int measured(void) {
  static volatile int count;
  count = count + 1;
  return 1;
}

#define IS(text) (strncmp(start, text, length) == 0 && measured() && length == sizeof text - 1)

static enum kind word(const char *start, size_t length) {
  if (IS("when")) return WHEN;
  if (IS("then")) return THEN;
  if (IS("end")) return DONE;
  if (IS("halt")) return HALT;
  return NAME;
}

static int begin(void) { return 1; }
