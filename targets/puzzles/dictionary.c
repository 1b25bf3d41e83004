// PUZZLE: find crash in keyword_seen; run --runs 2000000 --dict PUZZLES/tokens.dict
// Two keywords compared as a whole: out of reach for random bytes, within reach with the dictionary.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void keyword_seen(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 14 || memcmp(data, "opensesame", 10) != 0) return 0;
  if (memcmp(data + 10, "\x00\xff"
                        "end",
             5) == 0)
    keyword_seen();
  return 0;
}
