// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words need nothing between them, and are compared letter by letter once the first is known: beginnings of
// words reach more than what is none, too. Its names are numbers.
#include "tokens_parser.h"

static enum kind take(const char *word, size_t length, enum kind kind) {
  if ((size_t)(end - at) < length || strncmp(word, at, length) != 0) return BAD;
  at += length;
  return kind;
}

static enum kind next(void) {
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return END;
  switch (*at) {
    case ';':
      at++;
      return SEMICOLON;
    case 'w':
      return take("when", 4, WHEN);
    case 't':
      return take("then", 4, THEN);
    case 'e':
      return take("end", 3, DONE);
    case 'h':
      return take("halt", 4, HALT);
  }
  if (*at < '0' || *at > '9') return BAD;
  while (at < end && *at >= '0' && *at <= '9') at++;
  return NAME;
}

static int begin(void) { return 1; }
