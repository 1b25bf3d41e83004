// PUZZLE: find crash (SIGABRT) in opened; run --max-len 32 --runs 2000000; not --record features --max-len 32 --runs 2000000
// A harness made for Centipede that tells of its progress by features of a domain of its own, which guide without an option.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

static const uint8_t kCode[] = {0x9d, 0x21, 0xf4, 0x6b};

__attribute__((used, retain, section("__centipede_extra_features"))) static uint64_t features[16];

extern "C" __attribute__((noinline)) void opened() { abort(); }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint64_t domain = 7;
  unsigned right = 0, all = 1;
  for (size_t i = 0; i < sizeof kCode; i++) {
    all &= (i < size ? data[i] : 0) == kCode[i];
    right += all;
  }
  features[0] = domain << 32 | right;
  if (right == sizeof kCode) opened();
  return 0;
}
