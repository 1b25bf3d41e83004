// Parses the input as JSON, with what json-c takes beyond it.
#include <json_object.h>
#include <json_tokener.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > INT32_MAX) return 0;
  struct json_tokener *tokener = json_tokener_new();
  if (tokener == NULL) return 0;
  json_object_put(json_tokener_parse_ex(tokener, (const char *)data, (int)size));
  json_tokener_free(tokener);
  return 0;
}
