// PUZZLE: find hang, crash in behind; run --runs 150000 --timeout 300ms
// Takes over the signal handlers, blocks every signal, sets a timer, and then hangs: it is ended all the same.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>

#include <waypoint.h>

static void ignore(int signal) { (void)signal; }

static __attribute__((noinline)) void behind(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct itimerval timer = {{0, 100}, {0, 100}};
  sigset_t all;
  volatile int on = 1;
  if (size < 2) return 0;
  if (data[0] == 'h' && data[1] == 'a') {
    for (int number = 1; number < 32; number++) signal(number, ignore);
    setitimer(ITIMER_REAL, &timer, 0);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, 0);
    while (on) {
    }
  }
  if (data[0] == 'c' && data[1] == 'r') behind();
  return 0;
}
