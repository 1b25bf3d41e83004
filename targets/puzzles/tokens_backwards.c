// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words are compared from their ends.
//
//   program   := statement*
//   statement := "when" name "then" statement* "end" | "halt" ";"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, BAD, NAME, WHEN, THEN, DONE, HALT, SEMICOLON };

static const char *at, *end;
static enum kind token;
static int depth, failed, halts;

static __attribute__((noinline)) void halted(void) { abort(); }

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

static int matches(const char *start, size_t length, const char *rest, size_t more) {
  if (length != more + 1) return 0;
  while (more > 0) {
    if (start[more] != rest[more - 1]) return 0;
    more--;
  }
  return 1;
}

// The first letter says which word it might be; the others are compared from the last one on.
static enum kind word(const char *start, size_t length) {
  switch (*start) {
    case 'w': return matches(start, length, "hen", 3) ? WHEN : NAME;
    case 't': return matches(start, length, "hen", 3) ? THEN : NAME;
    case 'e': return matches(start, length, "nd", 2) ? DONE : NAME;
    case 'h': return matches(start, length, "alt", 3) ? HALT : NAME;
    default: return NAME;
  }
}

static enum kind next(void) {
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return END;
  const char *start = at++;
  if (*start == ';') return SEMICOLON;
  if (!is_letter(*start)) return BAD;
  while (at < end && is_letter(*at)) at++;
  return word(start, (size_t)(at - start));
}

static int accept(enum kind kind) {
  if (token != kind) return 0;
  token = next();
  return 1;
}

static void expect(enum kind kind) {
  if (!accept(kind)) failed = 1;
}

static void statement(void) {
  if (++depth > 50) failed = 1;
  if (accept(WHEN)) {
    expect(NAME);
    expect(THEN);
    while (!failed && token != DONE) statement();
    expect(DONE);
  } else if (accept(HALT)) {
    expect(SEMICOLON);
    if (depth > 1) halts++;
  } else {
    failed = 1;
  }
  depth--;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  at = (const char *)data;
  end = at + size;
  depth = failed = halts = 0;
  token = next();
  while (!failed && token != END) statement();
  if (!failed && halts > 0) halted();
  return 0;
}
