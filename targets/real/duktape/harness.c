// Compiles the input as a program of Duktape, which is not run.
#include <duktape.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static duk_context *context;
  if (context == NULL) context = duk_create_heap_default();
  if (context == NULL) return 0;
  duk_pcompile_lstring(context, 0, (const char *)data, size);
  duk_pop(context);
  return 0;
}
