// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words are found by their hash: what is no word is compared with none.
#include "tokens_reader.h"

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

static int begin(void) {
  for (int i = 0; i < 4; i++) table[hash(kWords[i], strlen(kWords[i]))] = kWords[i];
  return 1;
}
