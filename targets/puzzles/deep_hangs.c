// PUZZLE: find hang in first_loop, hang in second_loop; run --runs 100000 --timeout 200ms
// Two hangs behind the same outer functions; one of them calls a helper, so that where it is stopped differs.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

static volatile int forever = 1;
static volatile int sink;

static __attribute__((noinline)) void helper(int n) {
  for (int i = 0; i < n % 100; i++) sink += i;
}

static __attribute__((noinline)) void first_loop(void) {
  for (int i = 0; forever; i++) {
    helper(i);
    sink ^= i;
  }
}

static __attribute__((noinline)) void second_loop(void) {
  while (forever) sink++;
}

static __attribute__((noinline)) void choose(const uint8_t *data) {
  if (data[0] == 'F') {
    sink++;
    if (data[1] == '1') first_loop();
  }
  if (data[0] == 'S') {
    sink--;
    if (data[1] == '2') second_loop();
  }
  sink++;
}

static __attribute__((noinline)) void inner(const uint8_t *data) {
  choose(data);
  sink++;
}

static __attribute__((noinline)) void outer(const uint8_t *data) {
  inner(data);
  sink++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  outer(data);
  return 0;
}
