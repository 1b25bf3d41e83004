// Compiles the input as C by TinyCC, which neither links nor runs it.
#include <libtcc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void ignore(void *data, const char *message) { (void)data, (void)message; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  TCCState *state = tcc_new();
  if (state != NULL) {
    tcc_set_error_func(state, NULL, ignore);
    tcc_set_options(state, "-nostdinc -nostdlib");
    tcc_set_output_type(state, TCC_OUTPUT_OBJ);
    tcc_compile_string(state, text);
    tcc_delete(state);
  }
  free(text);
  return 0;
}
