// Parses the input as an XML document, without asking for any other file.
#include <expat.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > INT32_MAX) return 0;
  XML_Parser parser = XML_ParserCreate(NULL);
  if (parser == NULL) return 0;
  XML_SetHashSalt(parser, 1);  // else hashes are random
  XML_Parse(parser, (const char *)data, (int)size, XML_TRUE);
  XML_ParserFree(parser);
  return 0;
}
