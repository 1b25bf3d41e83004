// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose reader first looks through all of the input for what is no text.
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

static enum kind word(const char *start, size_t length) {
  static const char *const kWords[] = {"when", "then", "end", "halt"};
  for (int i = 0; i < 4; i++) {
    if (strlen(kWords[i]) == length && memcmp(kWords[i], start, length) == 0) return (enum kind)(WHEN + i);
  }
  return NAME;
}

// Nothing is read of an input that is no text: plain signs, spaces and ends of lines, and signs of two bytes.
static int is_text(void) {
  for (const char *sign = at; sign < end; sign++) {
    unsigned char byte = (unsigned char)*sign;
    if (byte >= 0xc2 && byte < 0xe0) {
      if (++sign == end || ((unsigned char)*sign & 0xc0) != 0x80) return 0;
    } else if (byte != 0x0a && (byte < 0x20 || byte > 0x7e)) {
      return 0;
    }
  }
  return 1;
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
  if (!is_text()) return 0;
  token = next();
  while (!failed && token != END) statement();
  if (!failed && halts > 0) halted();
  return 0;
}
