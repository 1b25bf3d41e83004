// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language with names in quotes, and longer ones in three quotes: two of them are an empty one.
#include "tokens_parser.h"
#include "tokens_words.h"

static int begin(void) { return 1; }

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

static enum kind quoted(void) {
  while (at < end && *at != '"' && *at != '\n') at++;
  if (at == end || *at != '"') return BAD;
  at++;
  return NAME;
}

static enum kind quoted_three_times(void) {
  for (; end - at >= 3; at++) {
    if (at[0] != '"' || at[1] != '"' || at[2] != '"') continue;
    at += 3;
    return NAME;
  }
  return BAD;
}

static enum kind next(void) {
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return END;
  const char *start = at++;
  if (*start == ';') return SEMICOLON;
  if (*start == '"') {
    if (end - at < 2 || at[0] != '"' || at[1] != '"') return quoted();
    at += 2;
    return quoted_three_times();
  }
  if (!is_letter(*start)) return BAD;
  while (at < end && is_letter(*at)) at++;
  return listed_word(start, (size_t)(at - start));
}
