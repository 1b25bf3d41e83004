// PUZZLE: find crash (SIGABRT) in all_equal; run --no-trace --domain alike --runs 400000; not --no-trace --runs 800000
// A target annotated with FuzzFactory's macros: as many equal bits as possible of a number and a magic one.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "afl_valid.h"
#include "waypoints.h"

FUZZFACTORY_DSF_NEW(alike, 4, FUZZFACTORY_REDUCER_MAX, 0);

static __attribute__((noinline)) void all_equal(void) { abort(); }

// Ends the run from within, as FuzzFactory's targets do.
static __attribute__((noinline)) uint32_t number(const uint8_t *data, size_t size) {
  uint32_t number;
  ASSUME_OR_EXIT(size >= sizeof number);
  memcpy(&number, data, sizeof number);
  return number;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t differing = number(data, size) ^ 0x1001CAFE;
  // The keys are 0 to 3: FuzzFactory takes others modulo their number.
  FUZZFACTORY_DSF_MAX(alike, 6, 32 - __builtin_popcount(differing));
  if (differing == 0) all_equal();
  return 0;
}
