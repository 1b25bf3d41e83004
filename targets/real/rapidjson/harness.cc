// Reads the input as JSON with all that RapidJSON allows beyond it: comments, commas at the end, NaN and infinities.
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Without recursion, so that no depth is too much for the stack.
  constexpr unsigned flags = rapidjson::kParseCommentsFlag | rapidjson::kParseTrailingCommasFlag |
                             rapidjson::kParseNanAndInfFlag | rapidjson::kParseIterativeFlag;
  rapidjson::MemoryStream stream(reinterpret_cast<const char *>(data), size);
  rapidjson::Reader reader;
  rapidjson::BaseReaderHandler<> ignored;
  reader.Parse<flags>(stream, ignored);
  return 0;
}
