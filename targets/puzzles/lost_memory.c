// PUZZLE: find leak in copy_name, leak in copy_value; run --runs 60000; build -fsanitize=address
// Two places that lose memory, which LeakSanitizer sees, beside a cache that grows but is never lost.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static char *volatile name;
static char *volatile value;
static void *cache[4096];
static unsigned cached;

static __attribute__((noinline)) void copy_name(const uint8_t *data) {
  name = malloc(24);
  if (name) memcpy(name, data, 4);
  name = NULL;
}

static __attribute__((noinline)) void copy_value(const uint8_t *data) {
  value = malloc(40);
  if (value) memcpy(value, data, 4);
  value = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4) return 0;
  if (data[0] == 'C' && cached < 4096) cache[cached++] = malloc(16);
  if (data[0] == 'N') copy_name(data);
  if (data[0] == 'V') copy_value(data);
  return 0;
}
