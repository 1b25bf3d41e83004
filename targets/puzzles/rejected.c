// PUZZLE: find nothing; run --runs 200000 --no-learn-tokens
// A harness that returns -1 asks that the input is never kept: without the inputs it rejects, the branch behind
// them cannot be climbed to within these runs.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 5 || data[0] != 'R') return 0;
  if (data[1] != 'E') return -1;
  if (data[2] != 'J') return -1;
  if (data[3] != 'E') return -1;
  if (data[4] != 'C') return -1;
  abort();
}
