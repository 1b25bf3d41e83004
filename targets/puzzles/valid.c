// PUZZLE: find crash (SIGABRT) in all_sealed; run --domain valid --max-len 32 --runs 6000000; not --max-len 32 --runs 2000000
// A bundle of letters, each of which leads to the next and has a seal that must fit. Coverage sees how far one comes
// whether the seals fit or not, keeps the first that comes so far, which has wrong ones, and would have to mend all at
// once. The domain `valid` goes from one right letter to the next.
#include <stdlib.h>

#include <waypoint.h>

#define LETTERS 4

static volatile unsigned opened;

static __attribute__((noinline)) void all_sealed(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned letters = 0;
  int sealed = 1;
  for (; letters < LETTERS && size >= 3 * (letters + 1); letters++) {
    const uint8_t *letter = data + 3 * letters;
    if (letter[0] % 8 != letters + 1) break;
    opened++;
    sealed &= letter[2] % 64 == (letter[0] * 7 + letter[1] * 29 + 3) % 64;
  }
  WAYPOINT_ASSUME(sealed);
  if (letters == LETTERS) all_sealed();
  return 0;
}
