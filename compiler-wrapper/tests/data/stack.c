// Uses the stack in every way: by recursion, by large and by variable arrays, in another thread, in a signal handler.
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))
static volatile char sink;

KEEP void use(volatile char *bytes, size_t n) {
  for (size_t i = 0; i < n; i += 64) bytes[i] = sink;
  sink = bytes[n - 1];
}

KEEP int recurse(int depth) {
  volatile char room[256];
  use(room, sizeof room);
  return depth ? recurse(depth - 1) + room[0] : 1;
}

KEEP void large(void) {
  volatile char room[10000];
  for (size_t i = 0; i < sizeof room; i += 64) room[i] = sink;
}

KEEP void variable(size_t n) { use(alloca(n), n); }

KEEP int leaf(int a, int b) { return a * b + 1; }

KEEP void only_in_thread(void) {
  volatile char room[100000];
  use(room, sizeof room);
}

static void *thread(void *argument) {
  only_in_thread();
  recurse(300);
  return argument;
}

KEEP void handler(int signal) { sink = (char)signal; use(&sink, 1); }

static void on_other_stack(void) {
  stack_t stack = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&stack, NULL);
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaction(SIGUSR1, &action, NULL);
  raise(SIGUSR1);
}

int main(int argc, char **argv) {
  int depth = argc > 1 ? atoi(argv[1]) : 1;
  recurse(depth);
  large();
  variable(5000 * (size_t)depth);
  printf("%d\n", leaf(depth, 2));
  pthread_t id;
  pthread_create(&id, NULL, thread, NULL);
  pthread_join(id, NULL);
  on_other_stack();
  return 0;
}
