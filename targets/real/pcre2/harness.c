// Compiles what comes before the first line break as a pattern and looks for it in the rest.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { kMatchLimit = 100000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *end = size > 0 ? memchr(data, '\n', size) : NULL;
  size_t length = end != NULL ? (size_t)(end - data) : size, at;
  const uint8_t *subject = end != NULL ? end + 1 : data + size;
  int error;
  pcre2_code *code = pcre2_compile(data, length, 0, &error, &at, NULL);
  if (code == NULL) return 0;
  pcre2_match_data *match = pcre2_match_data_create_from_pattern(code, NULL);
  pcre2_match_context *limits = pcre2_match_context_create(NULL);
  if (match != NULL && limits != NULL) {
    pcre2_set_match_limit(limits, kMatchLimit);
    pcre2_match(code, subject, size - (size_t)(subject - data), 0, 0, match, limits);
  }
  pcre2_match_context_free(limits);
  pcre2_match_data_free(match);
  pcre2_code_free(code);
  return 0;
}
