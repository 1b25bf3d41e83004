// Parses the input as an XML document, with all that may stand in one kept.
#include <pugixml.hpp>

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pugi::xml_document document;
  document.load_buffer(data, size, pugi::parse_full, pugi::encoding_utf8);
  return 0;
}
