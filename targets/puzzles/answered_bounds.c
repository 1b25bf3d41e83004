// PUZZLE: find crash (SIGABRT) in answered; run -i PUZZLES/answered_bounds.seeds --runs 3000; not -i PUZZLES/answered_bounds.seeds --no-trace --runs 3000
// Sizes that must be something, and no more than a bound that is only known at run time, as user limits of images are: of
// these two checks only the one for nothing is recorded. All are looked at before it is said that one was wrong.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

enum { kSizes = 5 };
static volatile uint32_t most = 100;
static volatile int complaints;

static __attribute__((noinline)) int complain(int which) {
  complaints = which;
  return 1;
}

static __attribute__((noinline)) int check(const uint8_t *at) {
  uint32_t size = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
  int wrong = 0;
  if (size == 0) wrong |= complain(1);
  if (size > most) wrong |= complain(2);
  return wrong;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int wrong = 0;
  if (size < 4 * kSizes) return 0;
  for (int i = 0; i < kSizes; i++) wrong |= check(data + 4 * i);
  if (wrong) return 0;
  answered();
  return 0;
}
