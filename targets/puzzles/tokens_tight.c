// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A format, as of dates, in which a space is a byte like any other: what counts stands right behind a sign, and names stand
// between two.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *at, *end;
static unsigned open, halts, failed;
static volatile unsigned written;

static __attribute__((noinline)) void halted(void) { abort(); }

static __attribute__((noinline)) void put(char c) { written += (unsigned char)c; }

static __attribute__((noinline)) void number(unsigned value, unsigned base) {
  do put("0123456789abcdef"[value % base]);
  while (value /= base);
}

static int is(const char *start, size_t length, const char *word) {
  return strlen(word) == length && memcmp(start, word, length) == 0;
}

// "when" ... "halt" ... "done", each in braces.
static int named(const char *start, size_t length) {
  if (is(start, length, "when")) {
    open++;
    put('(');
    number(open, 10);
  } else if (is(start, length, "halt")) {
    if (open > 0) halts++;
    number(halts, 16);
  } else if (is(start, length, "done")) {
    put(')');
    number(open, 8);
    if (open > 0 && --open == 0 && halts > 0) halted();
  } else {
    return 0;
  }
  return 1;
}

static int directive(void) {
  if (at == end) return 0;
  switch (*at++) {
    case 'd': number(1234, 10); return 1;
    case 'x': put('0'), put('x'), number(1234, 16); return 1;
    case 'o': put('0'), number(1234, 8); return 1;
    case '{': {
      const char *start = at;
      while (at < end && *at != '}') put(*at++);
      if (at == end) return 0;
      put('[');
      int is_known = named(start, (size_t)(at++ - start));
      put(']');
      if (!is_known) number(failed++, 10);
      return is_known;
    }
    default: return 0;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  at = (const char *)data;
  end = at + size;
  open = halts = failed = 0;
  while (at < end) {
    char c = *at++;
    if (c == '%') {
      if (!directive()) return 0;
    } else {
      put(c);
    }
  }
  return 0;
}
