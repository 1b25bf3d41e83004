// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose reader first copies all of the input to a place that grows with it.
#include "tokens_reader.h"
#include "tokens_words.h"

static char *copy;
static size_t length, room;

static enum kind word(const char *start, size_t letters) { return listed_word(start, letters); }

static __attribute__((noinline)) void grow(void) {
  room += 16;
  copy = realloc(copy, room);
  if (copy == NULL) abort();
}

static int begin(void) {
  length = room = 0;
  for (; at < end; at++) {
    if (length == room) grow();
    copy[length++] = *at;
  }
  at = copy;
  end = copy + length;
  return 1;
}
