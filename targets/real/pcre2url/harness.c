// Looks for a URL in the input: a fixed pattern, as programs that take text from strangers have it.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stddef.h>
#include <stdint.h>

static const char kUrl[] = "(?i)\\b(?:[a-z][a-z0-9+.-]*://|www\\.)(?:[a-z0-9-]+\\.)+[a-z]{2,}(?::\\d+)?(?:/[^\\s?#]*)?"
                           "(?:\\?[^\\s#]*)?(?:#\\S*)?$";
static pcre2_code *code;
static pcre2_match_data *match;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  int error;
  size_t at;
  code = pcre2_compile((PCRE2_SPTR)kUrl, PCRE2_ZERO_TERMINATED, 0, &error, &at, NULL);
  if (code == NULL) return 1;
  match = pcre2_match_data_create_from_pattern(code, NULL);
  return match == NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pcre2_match(code, data, size, 0, 0, match, NULL);
  return 0;
}
