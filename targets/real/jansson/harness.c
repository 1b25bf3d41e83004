// Parses the input as JSON, of any kind of value.
#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  json_object_seed(1);  // else hashes depend on the time
  json_t *json = json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL);
  json_decref(json);
  return 0;
}
