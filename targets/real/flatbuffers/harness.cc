// Reads the input as a schema of FlatBuffers, and the JSON that may follow it.
#include <flatbuffers/idl.h>
#include <flatbuffers/util.h>

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // No input reads a file.
  flatbuffers::SetFileExistsFunction([](const char *) { return false; });
  flatbuffers::SetLoadFileFunction([](const char *, bool, std::string *) { return false; });
  const std::string text(reinterpret_cast<const char *>(data), size);
  flatbuffers::Parser parser;
  parser.Parse(text.c_str());
  return 0;
}
