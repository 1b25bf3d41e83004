// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words are found by their hash: what is no word is compared with none.
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

static const char *const kWords[] = {"when", "then", "end", "halt"};
static const char *table[64];

static unsigned hash(const char *start, size_t length) {
  unsigned value = 5381;
  for (size_t i = 0; i < length; i++) value = (value ^ (unsigned char)start[i]) * 0x01000193u;
  return value >> 26;
}

// A name is compared with a word only if both have one hash, and are of one length.
static enum kind word(const char *start, size_t length) {
  const char *found = table[hash(start, length)];
  if (!found || strlen(found) != length || memcmp(found, start, length) != 0) return NAME;
  for (int i = 0; i < 4; i++) {
    if (kWords[i] == found) return (enum kind)(WHEN + i);
  }
  return BAD;
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
  for (int i = 0; i < 4; i++) table[hash(kWords[i], strlen(kWords[i]))] = kWords[i];
  token = next();
  while (!failed && token != END) statement();
  if (!failed && halts > 0) halted();
  return 0;
}
