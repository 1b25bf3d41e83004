// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 1000000; not --no-trace --runs 1000000
// A language whose words are compared only once the sign behind them has been read. Whatever else stands before that sign
// ends the reading, so that nothing is read behind it either.
#include "tokens_reader.h"
#include "tokens_words.h"

static enum kind word(const char *start, size_t length) {
  if (end - at < 2 || at[0] != ':' || at[1] != ':') return NAME;
  at += 2;
  const enum kind kind = listed_word(start, length);
  return kind == NAME ? BAD : kind;
}

static int begin(void) { return 1; }
