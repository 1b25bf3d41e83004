// The reader of those token puzzles that differ in how a word is known: whoever includes it says which one it is.
#include "tokens_parser.h"

static enum kind word(const char *start, size_t length);

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

static enum kind next(void) {
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return END;
  const char *start = at++;
  if (*start == ';') return SEMICOLON;
  if (!is_letter(*start)) return BAD;
  while (at < end && is_letter(*at)) at++;
  return word(start, (size_t)(at - start));
}
