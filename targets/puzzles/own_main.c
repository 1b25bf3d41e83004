// PUZZLE: find crash in reached; run --runs 500000
// A program with its own `main` that hands over to the engine.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

static __attribute__((noinline)) void reached(void) { abort(); }

static int test(const uint8_t *data, size_t size) {
  if (size >= 2 && data[0] == 'm' && data[1] == 'n') reached();
  return 0;
}

int main(int argc, char **argv) { return LLVMFuzzerRunDriver(&argc, &argv, test); }
