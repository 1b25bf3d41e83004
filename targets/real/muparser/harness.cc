// Reads the input as an expression of muParser, and computes it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "muParser.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  try {
    double x = 2, y = 3;
    mu::Parser parser;
    parser.DefineVar("x", &x);
    parser.DefineVar("y", &y);
    parser.SetExpr(std::string(reinterpret_cast<const char *>(data), size));
    parser.Eval();
  } catch (const mu::ParserError &) {
  }
  return 0;
}
