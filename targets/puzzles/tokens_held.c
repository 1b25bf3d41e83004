// PUZZLE: find nothing; run --learn-tokens --no-trace --runs 20000
// A language whose words are packed in the program, unpacked at its start, and from then on told apart by where they lie: the
// program has no such text among its constants, and compares none. `./target tokens` learns them all (tests/tests/tokens.rs); a
// campaign does not look into memory.
#include "tokens_reader.h"

// Five bits a letter.
#define PACKED(a, b, c, d) ((a - 96) | (b - 96) << 5 | (c - 96) << 10 | (d - 96) << 15)

struct name {
  struct name *next;
  unsigned hash, length;
  char text[8];
};

// The last ones are names of things that every program knows, and no words.
static const unsigned kPacked[] = {
    PACKED('w', 'h', 'e', 'n'), PACKED('t', 'h', 'e', 'n'), PACKED('e', 'n', 'd', 96),  PACKED('h', 'a', 'l', 't'),
    PACKED('p', 'r', 'i', 'n'), PACKED('r', 'e', 'a', 'd'), PACKED('s', 'i', 'n', 96),  PACKED('c', 'o', 's', 96),
    PACKED('f', 'i', 'l', 'e'), PACKED('l', 'i', 's', 't'), PACKED('m', 'a', 't', 'h'), PACKED('t', 'i', 'm', 'e'),
};
enum { COUNT = sizeof kPacked / sizeof *kPacked };
static struct name *names[64], *words[COUNT];

static unsigned hash(const char *start, size_t length) {
  unsigned value = 5381;
  for (size_t i = 0; i < length; i++) value = (value ^ (unsigned char)start[i]) * 0x01000193u;
  return value;
}

static enum kind word(const char *start, size_t length) {
  const unsigned own = hash(start, length);
  const struct name *name = names[own >> 26];
  while (name && (name->hash != own || name->length != length || memcmp(name->text, start, length) != 0)) name = name->next;
  for (int i = 0; name && i < 4; i++) {
    if (words[i] == name) return (enum kind)(WHEN + i);
  }
  return NAME;
}

static int begin(void) {
  for (int i = 0; i < COUNT && !words[COUNT - 1]; i++) {
    struct name *name = calloc(1, sizeof *name);
    if (!name) return 0;
    for (unsigned rest = kPacked[i]; rest; rest >>= 5) name->text[name->length++] = (char)((rest & 31) + 96);
    name->hash = hash(name->text, name->length);
    name->next = names[name->hash >> 26];
    names[name->hash >> 26] = words[i] = name;
  }
  return 1;
}
