// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words need nothing between them: the longest that the input goes on with is taken. Its names are numbers.
#include "tokens_parser.h"

static enum kind next(void) {
  static const char *const kWords[] = {"when", "then", "end", "halt"};
  static const size_t kLengths[] = {4, 4, 3, 4};
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return END;
  const char *start = at++;
  if (*start == ';') return SEMICOLON;
  if (*start >= '0' && *start <= '9') {
    while (at < end && *at >= '0' && *at <= '9') at++;
    return NAME;
  }
  for (int i = 0; i < 4; i++) {
    if (kWords[i][0] != *start || (size_t)(end - start) < kLengths[i]) continue;
    if (strncmp(kWords[i], start, kLengths[i]) == 0) {
      at = start + kLengths[i];
      return (enum kind)(WHEN + i);
    }
  }
  return BAD;
}

static int begin(void) { return 1; }
