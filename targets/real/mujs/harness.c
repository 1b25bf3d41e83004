// Compiles the input as a script, and runs it if it has no word that could make it loop forever.
#include <mujs.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kMemoryLimit = 1 << 25, kHeader = 16 };

static size_t used;

// Every block has its size in front, so that a script cannot eat all memory.
static void *allocate(void *context, void *block, int size) {
  (void)context;
  size_t *old = block != NULL ? (size_t *)((char *)block - kHeader) : NULL;
  size_t before = old != NULL ? *old : 0;
  if (size == 0) {
    used -= before;
    free(old);
    return NULL;
  }
  if (used - before + (size_t)size > kMemoryLimit) return NULL;
  size_t *now = realloc(old, (size_t)size + kHeader);
  if (now == NULL) return NULL;
  used += (size_t)size - before;
  *now = (size_t)size;
  return (char *)now + kHeader;
}

static void ignore(js_State *state, const char *message) {
  (void)state;
  (void)message;
}

static int may_loop(const char *script) {
  return strstr(script, "for") != NULL || strstr(script, "while") != NULL || strstr(script, "Array") != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *script = malloc(size + 1);
  if (script == NULL) return 0;
  memcpy(script, data, size);
  script[size] = '\0';
  used = 0;
  js_State *state = js_newstate(allocate, NULL, JS_STRICT);
  if (state != NULL) {
    js_setreport(state, ignore);
    if (js_ploadstring(state, "[input]", script) == 0 && !may_loop(script)) {
      js_pushundefined(state);
      js_pcall(state, 0);
    }
    js_freestate(state);
  }
  free(script);
  return 0;
}
