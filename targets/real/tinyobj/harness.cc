// Reads the input as Wavefront OBJ, with a library of materials that has none.
#include <cstddef>
#include <cstdint>
#include <string>

#include "tiny_obj_loader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tinyobj::ObjReader reader;
  reader.ParseFromString(std::string(reinterpret_cast<const char *>(data), size), std::string());
  return 0;
}
