// Reads the input as a TOML document.
#include <cpptoml.h>

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

// The first end of a line that a stream writes fills a table of the locale: here, and not in a run.
[[maybe_unused]] static const char newline = std::ostringstream().widen('\n');

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::istringstream text(std::string(reinterpret_cast<const char *>(data), size));
  cpptoml::parser parser(text);
  try {
    parser.parse();
  } catch (const cpptoml::parse_exception &) {
  }
  return 0;
}
