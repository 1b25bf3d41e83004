// Reads the input as a program of jq, which is not run.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jq_parser.h"

static void ignore(void *data, jv message) {
  (void)data;
  jv_free(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static jq_state *jq;
  if (jq == NULL) {
    jq = jq_init();
    jq_set_error_cb(jq, ignore, NULL);
  }
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  struct locfile *source = locfile_init(jq, "input", text, (int)size);
  block program;
  if (jq_parse(source, &program) == 0) block_free(program);
  locfile_free(source);
  free(text);
  return 0;
}
