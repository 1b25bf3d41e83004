// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 6000000; not --no-trace --runs 6000000
// A language whose input is cut into tokens before any of it is parsed. Signs without a space between them are one token,
// and only the parser knows which of those mean anything: two colons do, where a statement ends.
#include "tokens_parser.h"
#include "tokens_words.h"

enum { MOST = 64 };

static struct text {
  const char *start;
  size_t length;
  enum kind kind;
} tokens[MOST];
static int count, taken;

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

static int is_sign(char c) { return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '^'); }

// Nothing is parsed of an input that cannot be lexed.
static int begin(void) {
  for (count = taken = 0; count < MOST; count++) {
    while (at < end && (*at == ' ' || *at == '\n')) at++;
    if (at == end) return 1;
    const char *start = at;
    if (is_letter(*at)) {
      while (at < end && is_letter(*at)) at++;
      tokens[count].kind = listed_word(start, (size_t)(at - start));
    } else if (is_sign(*at)) {
      while (at < end && is_sign(*at)) at++;
      tokens[count].kind = SEMICOLON;
    } else {
      return 0;
    }
    tokens[count].start = start;
    tokens[count].length = (size_t)(at - start);
  }
  return 0;
}

static enum kind next(void) {
  if (taken == count) return END;
  const struct text *one = &tokens[taken++];
  if (one->kind == SEMICOLON && (one->length != 2 || memcmp(one->start, "::", 2) != 0)) return BAD;
  return one->kind;
}
