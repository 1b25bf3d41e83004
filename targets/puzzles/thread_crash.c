// PUZZLE: find crash in in_thread; run --runs 300000; build -pthread
// The crash is in a thread of the target's own.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

static __attribute__((noinline)) void *in_thread(void *argument) {
  if (argument) abort();
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pthread_t thread;
  if (size < 2 || data[0] != 't') return 0;
  if (pthread_create(&thread, 0, in_thread, data[1] == 'h' ? &thread : 0) == 0) pthread_join(thread, 0);
  return 0;
}
