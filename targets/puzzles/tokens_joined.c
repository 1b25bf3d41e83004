// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 1000000; not --no-trace --runs 1000000
// A language whose words need nothing between them: any that the input goes on with is taken. Its names are numbers.
#include "tokens_parser.h"

static const char *const kWords[] = {"when", "then", "end", "halt"};

static enum kind take(int from, int to) {
  for (int i = from; i < to; i++) {
    const size_t length = strlen(kWords[i]);
    if (kWords[i][0] != *at || (size_t)(end - at) < length) continue;
    if (strncmp(kWords[i], at, length) == 0) {
      at += length;
      return (enum kind)(WHEN + i);
    }
  }
  return BAD;
}

static enum kind next(void) {
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return END;
  switch (*at) {
    case ';':
      at++;
      return SEMICOLON;
    case 'w':
    case 't':
      return take(0, 2);
    default:
      if (*at < '0' || *at > '9') return take(2, 4);
      while (at < end && *at >= '0' && *at <= '9') at++;
      return NAME;
  }
}

static int begin(void) { return 1; }
