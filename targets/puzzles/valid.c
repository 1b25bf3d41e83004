// PUZZLE: find crash (SIGABRT) in all_sealed; run --domain valid --max-len 32 --runs 2000000; not --max-len 32 --runs 4000000
// A bundle of letters, each of which leads to the next and has a seal that must fit. Coverage sees how far one comes
// whether the seals fit or not, keeps the first that comes so far, which has wrong ones, and would have to mend all at
// once. The domain `valid` goes from one right letter to the next.
#include <stdlib.h>

#include <waypoint.h>

#define LETTERS 6

static volatile unsigned opened[LETTERS];

static __attribute__((noinline)) void all_sealed(void) { abort(); }

// Every letter is code of its own.
static void open_letter(unsigned n) {
  switch (n) {
    case 0: opened[0]++; break;
    case 1: opened[1] += 3; break;
    case 2: opened[2] ^= 5; break;
    case 3: opened[3] -= 7; break;
    case 4: opened[4] |= 11; break;
    default: opened[5] *= 13;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  unsigned letters = 0;
  int sealed = 1;
  for (; letters < LETTERS && size >= 3 * (letters + 1); letters++) {
    const uint8_t *letter = data + 3 * letters;
    if (letter[0] % 4 != letters % 4) break;
    open_letter(letters);
    sealed &= letter[2] % 32 == (letter[0] * 7 + letter[1] * 29 + 3) % 32;
  }
  WAYPOINT_ASSUME(sealed);
  if (letters == LETTERS) all_sealed();
  return 0;
}
