// PUZZLE: reach mem 32000 in push; run --domain mem --max-len 64 --runs 2000000 --no-learn-tokens; not --max-len 64 --runs 2000000 --no-learn-tokens
// A stack that grows by realloc with what an input asks for, between values that are pushed: only growth counts, so it
// takes many requests, each larger than what is there, in one input.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

struct stack {
  uint8_t *bytes;
  size_t used, room;
};

static __attribute__((noinline)) int push(struct stack *stack, size_t count) {
  if (stack->used + count > stack->room) {
    size_t room = stack->used + count;
    uint8_t *bytes = realloc(stack->bytes, room);
    if (!bytes) return 0;
    stack->bytes = bytes;
    stack->room = room;
  }
  stack->used += count;
  return 1;
}

static void pop(struct stack *stack, size_t count) { stack->used -= count < stack->used ? count : stack->used; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct stack stack = {0};
  if (size > 64) return 0;
  for (size_t i = 0; i + 1 < size; i += 2) {
    if (data[i] % 4 == 1) {
      if (!push(&stack, (size_t)data[i + 1] * 4)) break;
    } else if (data[i] % 4 == 2) {
      pop(&stack, (size_t)data[i + 1] * 4);
    } else if (data[i] % 4 == 3) {
      break;
    }
  }
  free(stack.bytes);
  return 0;
}
