// Reads the input as a configuration of libconfig.
#include <libconfig.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  config_t config;
  config_init(&config);
  config_set_include_dir(&config, "/nonexistent");  // no input reads a file
  config_read_string(&config, text);
  config_destroy(&config);
  free(text);
  return 0;
}
