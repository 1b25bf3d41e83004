// PUZZLE: find crash (SIGABRT) in all_lit; run --max-len 32 --runs 800000; not --record ijon_max,ijon_min --max-len 32 --runs 1000000
// Values to push up and down, annotated as for AFL++: as many lamps as possible lit by switches without branches, and then
// as little distance as possible to a number.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#if __has_include("afl-ijon-min.h")
#include "afl-ijon-min.h"
#endif

static const unsigned kLamps = 24;

extern "C" __attribute__((noinline)) void all_lit() { abort(); }

template <typename Number>
static bool is_near(Number number, Number goal) {
  Number distance = number < goal ? goal - number : number - goal;
  IJON_MIN(distance);
  return distance == 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t input[kLamps + 2] = {0};
  memcpy(input, data, size < sizeof input ? size : sizeof input);
  unsigned lit = 0;
  for (unsigned i = 0; i < kLamps; i++) lit += (input[i] ^ static_cast<uint8_t>(i * 37)) % 16 == 5;
  IJON_MAX(lit);
  if (lit < kLamps) return 0;
  if (is_near<uint16_t>(input[kLamps] << 8 | input[kLamps + 1], 51840)) all_lit();
  return 0;
}
