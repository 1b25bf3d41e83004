// PUZZLE: find crash (SIGFPE) in foo; run -i PUZZLES/figure_4_5.seeds --diff PUZZLES/figure_4_5.patch --runs 4000000
// Figure 4.5 of the thesis: a change in the first branch makes the division in the second one unsafe. The seeds are its
// inputs (3, 4), which reaches the change but does not divide, and (4, 4), which divides without the change. An input
// like (4, 3) that does both is nothing new to coverage; `diff` keeps it, and (2, 3), which crashes, is a step away.
#include <stdint.h>
#include <string.h>

__attribute__((noinline)) static int foo(int a, int b) {
  int d = a;
  if ((a + b) % 2) {
    d = 2 - a;
  }
  if (a % 3 && a > 0) {
    return b / d;
  } else {
    return 0;
  }
}

// A message is half of a, its complement, b and its complement; without one it is (3, 4).
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static volatile int result;
  struct {
    uint8_t b[2];
    uint16_t a[2];
  } sent;
  if (size < sizeof sent) {
    result = foo(3, 4);
    return 0;
  }
  memcpy(&sent, data, sizeof sent);
  if ((sent.a[0] ^ sent.a[1]) == UINT16_MAX && (sent.b[0] ^ sent.b[1]) == UINT8_MAX)
    result = foo(2 * sent.a[0], sent.b[0]);
  return 0;
}
