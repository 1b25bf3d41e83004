// PUZZLE: find crash in parse_tag; run --runs 500000
// An exception that leaves the harness: the stack must be that of the throw.
#include <cstdint>
#include <stdexcept>

#include <waypoint.h>

static __attribute__((noinline)) void parse_tag(uint8_t tag) {
  if (tag == 'X') throw std::runtime_error("unknown tag");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 2 && data[0] == 'T') parse_tag(data[1]);
  return 0;
}
