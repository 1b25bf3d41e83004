// The parser of the token puzzles: whoever includes it says how the next token is read, and how an input begins.
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

static enum kind next(void);
// Whether an input is read at all.
static int begin(void);

static __attribute__((noinline)) void halted(void) { abort(); }

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
  if (!begin()) return 0;
  token = next();
  while (!failed && token != END) statement();
  if (!failed && halts > 0) halted();
  return 0;
}
