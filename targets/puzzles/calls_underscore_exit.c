// PUZZLE: find exit 0, crash; run --runs 200000
// Ends the process without a trace: `_exit` with code 0, and a SIGKILL such as the kernel's when memory runs out.
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include <waypoint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  if (data[0] == 'e' && data[1] == 'x') _exit(0);
  if (data[0] == 'k' && data[1] == 'i') kill(getpid(), SIGKILL);
  return 0;
}
