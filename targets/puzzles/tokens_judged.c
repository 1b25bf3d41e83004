// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 1000000; not --no-trace --runs 1000000
// A language whose words are compared only once the sign behind them has been read, letter by letter and no further than the
// input's word is long. Whatever else stands before that sign ends the reading, so that nothing is read behind it either.
#include "tokens_reader.h"

static int is_word(const char *start, size_t length, const char *word) {
  for (size_t i = 0; i < length; i++) {
    if (word[i] != start[i]) return 0;
  }
  return word[length] == 0;
}

static enum kind word(const char *start, size_t length) {
  static const char *const kWords[] = {"when", "then", "end", "halt"};
  if (end - at < 2 || at[0] != ':' || at[1] != ':') return NAME;
  at += 2;
  for (int i = 0; i < 4; i++) {
    if (is_word(start, length, kWords[i])) return (enum kind)(WHEN + i);
  }
  return BAD;
}

static int begin(void) { return 1; }
