// Reads the input as JSON with comments, by yajl.
#include <stddef.h>
#include <stdint.h>
#include <yajl/yajl_parse.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const yajl_callbacks none;
  yajl_handle parser = yajl_alloc(&none, NULL, NULL);
  if (parser == NULL) return 0;
  yajl_config(parser, yajl_allow_comments, 1);
  if (yajl_parse(parser, data, size) == yajl_status_ok) yajl_complete_parse(parser);
  yajl_free(parser);
  return 0;
}
