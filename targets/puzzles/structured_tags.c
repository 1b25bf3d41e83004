// PUZZLE: find crash in treasure; run -i PUZZLES/structured_tags.seeds --grammar PUZZLES/structured_tags.fan --runs 100000; not -i PUZZLES/structured_tags.seeds --runs 1000000
// Elements within elements, each closed by its own name; names begin with a to d in turn, the deeper the further. Names are compared
// as hashes, as parsers do that keep them in a table, so no comparison tells what the other name is.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

enum { kName = 8, kDepth = 6 };

static __attribute__((noinline)) void treasure(void) { abort(); }

static const uint8_t *at, *end;

static int accept(uint8_t c) { return at < end && *at == c ? (at++, 1) : 0; }

// The hash of the next name; 0 if there is none.
static uint64_t name(void) {
  uint64_t hash = 0xcbf29ce484222325;
  if (end - at < kName) return 0;
  for (int i = 0; i < kName; i++, at++) {
    if (*at < 'a' || *at > 'd') return 0;
    hash = (hash ^ *at) * 0x100000001b3;
    hash ^= hash >> 29;
  }
  return hash | 1;
}

// Parses one element; how deep it goes, 0 if it is none.
static int element(int depth) {
  if (!accept('<') || at == end || *at != 'a' + depth % 4) return 0;
  uint64_t opened = name();
  if (opened == 0 || !accept('>')) return 0;
  int inside = 0;
  if (at < end && *at == '<' && at + 1 < end && at[1] != '/') {
    inside = element(depth + 1);
    if (inside == 0) return 0;
  } else {
    while (at < end && *at != '<') at++;
  }
  if (!accept('<') || !accept('/') || name() != opened || !accept('>')) return 0;
  return inside + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  at = data;
  end = data + size;
  if (element(0) >= kDepth && at == end) treasure();
  return 0;
}
