// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words count only right behind two signs, which are nothing without one.
#include "tokens_parser.h"
#include "tokens_words.h"

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

static enum kind next(void) {
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return END;
  const char *start = at++;
  if (*start == ';') return SEMICOLON;
  const int is_word = *start == '<';
  if (is_word && (end - at < 2 || *at++ != '!')) return BAD;
  start = is_word ? at++ : start;
  if (!is_letter(*start)) return BAD;
  while (at < end && is_letter(*at)) at++;
  return is_word ? listed_word(start, (size_t)(at - start)) : NAME;
}

static int begin(void) { return 1; }
