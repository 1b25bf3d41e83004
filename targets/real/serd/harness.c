// Reads the input as TriG, which is Turtle with graphs, as strictly as serdi does.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define SERD_STATIC
#include <serd/serd.h>

static SerdStatus ignore(void *handle, const SerdError *error) { return (void)handle, (void)error, SERD_SUCCESS; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint8_t *text = malloc(size + 2);  // of an empty one it reads what is behind the end
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = text[size + 1] = 0;
  SerdReader *reader = serd_reader_new(SERD_TRIG, NULL, NULL, NULL, NULL, NULL, NULL);
  if (reader != NULL) {
    serd_reader_set_error_sink(reader, ignore, NULL);
    serd_reader_set_strict(reader, true);
    serd_reader_read_string(reader, text);
    serd_reader_free(reader);
  }
  free(text);
  return 0;
}
