// PUZZLE: find crash in behind; run --runs 200000
// Closes every file descriptor, writes to those it should not have, and leaves the working directory.
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <waypoint.h>

static __attribute__((noinline)) void behind(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (int fd = 0; fd < 64; fd++)
    if (write(fd, "garbage", 7) < 0 || size % 2) close(fd);
  if (chdir("/") != 0) return 0;
  if (size >= 2 && data[0] == 'f' && data[1] == 'd') behind();
  return 0;
}
