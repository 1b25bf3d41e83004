// Reads the input as a program of jsonnet, without running it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "lexer.h"
#include "parser.h"
#include "static_error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  try {
    Allocator allocator;
    Tokens tokens = jsonnet_lex("input", text.c_str());
    jsonnet_parse(&allocator, tokens);
  } catch (const StaticError &) {
  }
  return 0;
}
