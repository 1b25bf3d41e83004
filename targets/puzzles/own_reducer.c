// PUZZLE: find crash (SIGABRT) in all_at_once; run --domain lamps --runs 2000000; not --runs 2000000
// A domain with a reducer of its own: of two sets of lamps the one with more lamps lit is better, and of two with as many
// the larger number. The bug needs all 48 lamps lit at once; every one has its own switch, a table and no branch.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

#define LAMPS 48

static __attribute__((noinline)) void all_at_once(void) { abort(); }

DSF_REDUCER static uint64_t more_lit(uint64_t a, uint64_t v) {
  int lit_a = __builtin_popcountll(a), lit_v = __builtin_popcountll(v);
  if (lit_a != lit_v) return lit_a > lit_v ? a : v;
  return a > v ? a : v;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static dsf_t lamps;
  if (!lamps) lamps = dsf_new_domain("lamps", 1, more_lit, 0);
  uint64_t lit = 0;
  for (size_t i = 0; i < size && i < LAMPS; i++) {
    // The switch of lamp i is on in one of 16 positions.
    lit |= (uint64_t)((data[i] ^ (uint8_t)(i * 37)) % 16 == 5) << i;
  }
  dsf_set(lamps, 0, lit);
  if (lit == (UINT64_C(1) << LAMPS) - 1) all_at_once();
  return 0;
}
