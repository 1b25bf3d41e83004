// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language with texts in quotes for names, and longer ones in three of them. `./target tokens` tells those three from an empty
// text and the beginning of another one (tests/tests/tokens.rs).
#include "tokens_parser.h"
#include "tokens_words.h"

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

static enum kind next(void) {
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return END;
  const char *start = at++;
  if (*start == ';') return SEMICOLON;
  if (*start == '"') {
    if (end - at >= 2 && at[0] == '"' && at[1] == '"') {
      for (at += 2; end - at >= 3; at++) {
        if (at[0] == '"' && at[1] == '"' && at[2] == '"') {
          at += 3;
          return NAME;
        }
      }
      return BAD;
    }
    while (at < end && *at != '"') at++;
    return at++ < end ? NAME : BAD;
  }
  if (!is_letter(*start)) return BAD;
  while (at < end && is_letter(*at)) at++;
  return listed_word(start, (size_t)(at - start));
}

static int begin(void) { return 1; }
