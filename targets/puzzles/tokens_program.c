// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 600000; not --no-trace --runs 1000000
// A language of words and operators; none of its words shows in coverage before it is complete.
//
//   program   := statement*
//   statement := "when" sum "then" statement* "end" | "halt" ";" | name ":=" sum ";"
//   sum       := part (("+" | "<>" | "<=") part)*
//   part      := name | number | "(" sum ")"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, BAD, NAME, NUMBER, WHEN, THEN, DONE, HALT, ASSIGN, SEMICOLON, PLUS, UNEQUAL, AT_MOST, OPEN, CLOSE };

static const char *at, *end;
static enum kind token;
static int depth, failed, halts;
static char name[16];

static __attribute__((noinline)) void halted(void) { abort(); }

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static enum kind word(const char *start, size_t length) {
  static const char *const kWords[] = {"when", "then", "end", "halt"};
  for (int i = 0; i < 4; i++) {
    if (strlen(kWords[i]) == length && memcmp(kWords[i], start, length) == 0) return (enum kind)(WHEN + i);
  }
  if (length >= sizeof name) return BAD;
  memcpy(name, start, length);
  name[length] = '\0';
  return NAME;
}

static enum kind pair(char second, enum kind kind) {
  if (at == end || *at != second) return BAD;
  at++;
  return kind;
}

static enum kind next(void) {
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return END;
  const char *start = at++;
  if (is_letter(*start)) {
    while (at < end && is_letter(*at)) at++;
    return word(start, (size_t)(at - start));
  }
  if (is_digit(*start)) {
    while (at < end && is_digit(*at)) at++;
    return NUMBER;
  }
  switch (*start) {
    case ':': return pair('=', ASSIGN);
    case ';': return SEMICOLON;
    case '+': return PLUS;
    case '(': return OPEN;
    case ')': return CLOSE;
    case '<': return at < end && *at == '=' ? pair('=', AT_MOST) : pair('>', UNEQUAL);
    default: return BAD;
  }
}

static int accept(enum kind kind) {
  if (token != kind) return 0;
  token = next();
  return 1;
}

static void expect(enum kind kind) {
  if (!accept(kind)) failed = 1;
}

static void sum(void) {
  do {
    if (accept(OPEN)) {
      if (++depth > 50) failed = 1;
      if (!failed) sum();
      depth--;
      expect(CLOSE);
    } else if (!accept(NAME)) {
      expect(NUMBER);
    }
  } while (!failed && (accept(PLUS) || accept(UNEQUAL) || accept(AT_MOST)));
}

static void statement(void) {
  if (++depth > 50) failed = 1;
  if (accept(WHEN)) {
    sum();
    expect(THEN);
    while (!failed && token != DONE) statement();
    expect(DONE);
  } else if (accept(HALT)) {
    expect(SEMICOLON);
    if (depth > 1) halts++;
  } else if (accept(NAME)) {
    expect(ASSIGN);
    if (!failed) sum();
    expect(SEMICOLON);
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
  // What is done with a program that has been read makes no tokens.
  static volatile int sink;
  if (!failed && strcmp(name, "answer") == 0) sink = 42;
  if (!failed && halts > 0) halted();
  return 0;
}
