// Reads the input as an expression of XPath, by pugixml, without evaluating it.
#include <pugixml.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  pugi::xpath_variable_set variables;
  variables.add("v", pugi::xpath_type_number);
  try {
    pugi::xpath_query query(text.c_str(), &variables);
  } catch (const pugi::xpath_exception &) {
  }
  return 0;
}
