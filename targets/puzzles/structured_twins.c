// PUZZLE: find crash in treasure; run -i PUZZLES/structured_twins.seeds --grammar PUZZLES/structured_twins.fan --runs 100000; not -i PUZZLES/structured_twins.seeds --runs 1000000
// Two expressions with their total length before them, in letters. They are compared by hashes of their shapes, which differ
// in order too; both have to be the same, and of twelve leaves or more.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

enum { kLeaves = 12, kDepth = 40 };

static __attribute__((noinline)) void treasure(void) { abort(); }

static const uint8_t *at, *end;
static int leaves;

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t hash = (a ^ b * 0x9e3779b97f4a7c15) * 0x100000001b3;
  return hash ^ hash >> 29;
}

// The hash of the next expression, `7` or `(7+(1*2))`; 0 if there is none.
static uint64_t expression(int depth) {
  if (at == end || depth > kDepth) return 0;
  uint8_t c = *at++;
  if (c >= '0' && c <= '9') {
    leaves++;
    return mix(c, 1) | 1;
  }
  if (c != '(') return 0;
  uint64_t left = expression(depth + 1);
  if (left == 0 || at == end) return 0;
  uint8_t operation = *at++;
  if (operation != '+' && operation != '*') return 0;
  uint64_t right = expression(depth + 1);
  if (right == 0 || at == end || *at++ != ')') return 0;
  return mix(mix(left, operation), right) | 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3 || (size_t)(data[0] - 'A') * 16 + (size_t)(data[1] - 'A') != size - 2) return 0;
  at = data + 2;
  end = data + size;
  leaves = 0;
  uint64_t one = expression(0);
  if (one == 0 || at == end || *at++ != '=') return 0;
  uint64_t other = expression(0);
  if (other == 0 || at != end) return 0;
  if (one == other && leaves >= 2 * kLeaves) treasure();
  return 0;
}
