/* The call of the harness, through a frame without unwind tables: a C++ exception that nobody in the target catches
 * finds the end of the stack here, so that the C++ runtime terminates at the throw, with the whole stack still there,
 * instead of unwinding into the engine. build.rs compiles this file without the tables.
 *
 * It is also where a run that is to end in the middle comes back to. By a jump, not by unwinding: a `catch (...)` or a
 * `noexcept` on the way would make a finding of it. */
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static jmp_buf start;
static pthread_t thread;
static volatile int running, cut_short;

/* Where the stack of the last run begins. */
const char *waypoint_harness_stack;

int waypoint_call_harness(int (*test_one_input)(const uint8_t *, size_t), const uint8_t *data, size_t size) {
  /* Aligned, so that the target's own alignment takes as much in every run, whoever calls us. */
  _Alignas(64) volatile char begin = 0;
  volatile int result = 0;
  waypoint_harness_stack = (const char *)&begin;
  thread = pthread_self();
  cut_short = 0;
  running = 1;
  if (_setjmp(start) == 0) {
    result = test_one_input(data, size);
  } else {
    cut_short = 1;
  }
  running = 0;
  return result;
}

int waypoint_was_cut_short(void) { return cut_short; }

__attribute__((noreturn)) void waypoint_end_run(void) {
  if (!running) exit(1);
  if (!pthread_equal(thread, pthread_self())) pthread_exit(NULL);
  longjmp(start, 1);
}
