// PUZZLE: find crash in behind; run --runs 150000
// Forks: the child comes back from the harness, crashes, or stays behind. None of that is a finding, and there must
// never be two fuzzers.
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <waypoint.h>

static __attribute__((noinline)) void behind(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3) return 0;
  if (data[0] == 'f') {
    pid_t child = fork();
    if (child == 0) {
      if (data[1] % 4 == 0) abort();
      if (data[1] % 4 == 1) sleep(1000);
      return 0;
    }
    if (child > 0 && data[1] % 4 != 1) waitpid(child, 0, 0);
  }
  if (data[0] == 'g' && data[1] == 'o') behind();
  return 0;
}
