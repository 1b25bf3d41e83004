// PUZZLE: find crash in treasure; run -i PUZZLES/structured_names.seeds --grammar PUZZLES/structured_names.fan --runs 100000; not -i PUZZLES/structured_names.seeds --runs 1000000
// A program of `let` and `use` lines. A name that is used and was not declared, or that is declared twice, ends it; names are
// known by their hashes. Four of the names that are used have to begin with four different letters.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

enum { kName = 6, kMost = 64, kLetters = 4 };

static __attribute__((noinline)) void treasure(void) { abort(); }

// The hash of the name at `text`; 0 if it is none.
static uint64_t hash(const uint8_t *text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < kName; i++) {
    if (text[i] < 'a' || text[i] > 'z') return 0;
    hash = (hash ^ text[i]) * 0x100000001b3;
    hash ^= hash >> 29;
  }
  return hash | 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t declared[kMost];
  int count = 0;
  uint32_t letters = 0;
  const uint8_t *end = data + size;
  // A line is `let abcdef;` or `use abcdef;`.
  for (; end - data >= 11; data += 11) {
    uint64_t name = hash(data + 4);
    if (name == 0 || data[10] != ';') return 0;
    int at = 0;
    while (at < count && declared[at] != name) at++;
    if (memcmp(data, "let ", 4) == 0) {
      if (at < count || count == kMost) return 0;
      declared[count++] = name;
    } else if (memcmp(data, "use ", 4) == 0) {
      if (at == count) return 0;
      letters |= 1u << (data[4] - 'a');
    } else {
      return 0;
    }
  }
  if (data == end && __builtin_popcount(letters) >= kLetters) treasure();
  return 0;
}
