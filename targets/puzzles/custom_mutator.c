// PUZZLE: find crash in accepted; run --runs 200000
// A checksum guards the rest: only the harness's own mutator, which repairs it, gets past. It uses the built-in
// mutation for the payload and asks for its set-up to have been called.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static int initialised;

static uint32_t checksum(const uint8_t *data, size_t size) {
  uint32_t sum = 0x811c9dc5u;
  for (size_t i = 0; i < size; i++) sum = (sum ^ data[i]) * 0x01000193u;
  return sum;
}

static __attribute__((noinline)) void accepted(void) { abort(); }

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  initialised = *argc > 0 && (*argv)[0] != 0;
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
  size_t payload = size > 4 ? size - 4 : 0;
  if (max_size < 8) return size;
  memmove(data, data + (size - payload), payload);
  payload = LLVMFuzzerMutate(data, payload, max_size - 4);
  memmove(data + 4, data, payload);
  uint32_t sum = checksum(data + 4, payload);
  memcpy(data, &sum, 4);
  (void)seed;
  return payload + 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t sum;
  if (!initialised || size < 6) return 0;
  memcpy(&sum, data, 4);
  if (sum != checksum(data + 4, size - 4)) return 0;
  if (data[4] == 'O' && data[5] == 'K') accepted();
  return 0;
}
