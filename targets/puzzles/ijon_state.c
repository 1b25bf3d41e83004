// PUZZLE: find crash (SIGABRT) in deepest_state; run --max-len 64 --runs 1000000; not --record ijon_state --max-len 64 --runs 1000000
// A protocol whose state is data: every command takes the same edges in all of its twelve states. Told of the state by
// IJON_STATE, coverage counts in each of them apart.
#include <stdint.h>
#include <stdlib.h>

#define STATES 12

static volatile unsigned served;

static __attribute__((noinline)) void deepest_state(void) { abort(); }
static __attribute__((noinline)) void serve(uint8_t command) { served += command; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t expected[STATES] = {3, 14, 1, 5, 9, 2, 6, 11, 8, 13, 7, 4};
  unsigned state = 0;
  for (size_t i = 0; i < size; i++) {
    // A wrong command leads back to the start. No branch tells.
    unsigned next = (state + 1) * (data[i] % 16 == expected[state]);
    if (next == STATES) deepest_state();
    // As in IJON, the state is changed by XOR.
    IJON_STATE(state ^ next);
    state = next;
    serve(data[i]);
  }
  return 0;
}
