// Compiles the input as a regular expression in Oniguruma's own syntax, which is matched with nothing.
#include <oniguruma.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int ready;
  if (!ready) {
    OnigEncoding encoding = ONIG_ENCODING_ASCII;
    onig_initialize(&encoding, 1);
    ready = 1;
  }
  regex_t *expression = NULL;
  OnigErrorInfo error;
  if (onig_new(&expression, data, data + size, ONIG_OPTION_NONE, ONIG_ENCODING_ASCII, ONIG_SYNTAX_ONIGURUMA, &error) ==
      ONIG_NORMAL) {
    onig_free(expression);
  }
  return 0;
}
