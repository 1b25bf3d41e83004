// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language in the middle of a text: all but what stands between <% and %> is skipped, and <!-- and --> are around
// comments in the text. One routine skips everything, so that only what it looks for tells a text from a comment.
#include "tokens_parser.h"
#include "tokens_words.h"

static int is_text;

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

static int begin(void) { return is_text = 1; }

static int is_next(const char *mark, size_t length) {
  return (size_t)(end - at) >= length && memcmp(at, mark, length) == 0;
}

// Goes on right behind a mark.
static __attribute__((noinline)) int skip(const char *mark) {
  for (size_t length = strlen(mark); at < end; at++) {
    if (*at == *mark && is_next(mark, length)) {
      at += length;
      return 1;
    }
  }
  return 0;
}

static char peek(int n) { return end - at > n ? at[n] : '\0'; }

// From a text into the language.
static int enter(void) {
  while (skip("<")) {
    if (at < end && *at == '%') {
      at++;
      is_text = 0;
      return 1;
    }
    if (peek(0) != '!' || peek(1) != '-' || peek(2) != '-') return 0;
    at += 3;
    if (!skip("-->")) return 0;
  }
  return 0;
}

static enum kind next(void) {
  for (;;) {
    if (is_text && !enter()) return END;
    while (at < end && (*at == ' ' || *at == '\n')) at++;
    if (end - at < 2 || at[0] != '%' || at[1] != '>') break;
    at += 2;
    is_text = 1;
  }
  if (at == end) return END;
  const char *start = at++;
  if (*start == ';') return SEMICOLON;
  if (!is_letter(*start)) return BAD;
  while (at < end && is_letter(*at)) at++;
  return listed_word(start, (size_t)(at - start));
}
