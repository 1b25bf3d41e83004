// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words are compared no further than the input's own word is long, and only then measured: a beginning of a
// word is equal to it, and no word.
#include "tokens_reader.h"

static int measured(void);

static __attribute__((noinline)) int is_word(const char *start, size_t length, const char *word) {
  return strncmp(start, word, length) == 0 && measured() && strlen(word) == length;
}

// What begins a word reaches what nothing else reaches.
static __attribute__((noinline)) int measured(void) {
  static volatile int count;
  count++;
  return 1;
}

static enum kind word(const char *start, size_t length) {
  static const char *const kWords[] = {"when", "then", "end", "halt"};
  for (int i = 0; i < 4; i++) {
    if (is_word(start, length, kWords[i])) return (enum kind)(WHEN + i);
  }
  return NAME;
}

static int begin(void) { return 1; }
