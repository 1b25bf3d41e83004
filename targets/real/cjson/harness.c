// Parses the input as JSON and prints what was understood.
#include <cJSON.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cJSON *json = cJSON_ParseWithLength((const char *)data, size);
  if (json == NULL) return 0;
  cJSON_free(cJSON_Print(json));
  cJSON_Delete(json);
  return 0;
}
