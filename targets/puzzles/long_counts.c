// PUZZLE: reach mem 6000000000 in table; run -i PUZZLES/long_counts.seeds --domain mem --runs 150000; not -i PUZZLES/long_counts.seeds --runs 150000
// Many fields that have nothing to do with memory, and a few counts among them, written as 7z does: the ones that a first
// byte begins with tell how many bytes follow. A count that is a little larger shows where it stands, and then it should
// not take long to make it as large as is allowed.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

enum { kFields = 48, kCounts = 4 };
static const uint64_t kMost = 100000000;

struct input {
  const uint8_t *at, *end;
};

static uint8_t next(struct input *input) { return input->at < input->end ? *input->at++ : 0; }

static uint64_t number(struct input *input) {
  uint8_t first = next(input), mask = 0x80;
  uint64_t value = 0;
  for (int i = 0; i < 8; i++, mask >>= 1) {
    if (!(first & mask)) return value | (uint64_t)(first & (mask - 1)) << 8 * i;
    value |= (uint64_t)next(input) << 8 * i;
  }
  return value;
}

static int field(uint8_t value) {
  switch (value >> 3) {
    case 1: return 7;
    case 3: return 5;
    case 9: return 11;
    case 17: return 13;
    case 25: return 3;
    default: return value % 3;
  }
}

__attribute__((noinline)) static void *table(uint64_t count) { return count > kMost ? NULL : malloc(count * 40); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct input input = {data, data + size};
  volatile int sum = 0;
  for (int part = 0; part < kCounts; part++) {
    for (int i = 0; i < kFields; i++) {
      int one = field(next(&input));
      if (one > 10 && i % 4 == 0) sum += one;
    }
    if (next(&input) != 7) return 0;
    free(table(number(&input)));
  }
  return sum == 1;
}
