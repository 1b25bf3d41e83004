// Parses the input as an XML document and reads all of its names, values and texts, which are decoded only then.
#include <tinyxml2.h>

#include <cstddef>
#include <cstdint>

namespace {
class Reader : public tinyxml2::XMLVisitor {
 public:
  bool VisitEnter(const tinyxml2::XMLElement &element, const tinyxml2::XMLAttribute *attribute) override {
    for (element.Name(); attribute != nullptr; attribute = attribute->Next()) attribute->Value();
    return true;
  }
  bool Visit(const tinyxml2::XMLDeclaration &declaration) override { return declaration.Value() != nullptr; }
  bool Visit(const tinyxml2::XMLText &text) override { return text.Value() != nullptr; }
  bool Visit(const tinyxml2::XMLComment &comment) override { return comment.Value() != nullptr; }
  bool Visit(const tinyxml2::XMLUnknown &unknown) override { return unknown.Value() != nullptr; }
};
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tinyxml2::XMLDocument document;
  Reader reader;
  if (document.Parse(reinterpret_cast<const char *>(data), size) == tinyxml2::XML_SUCCESS) document.Accept(&reader);
  return 0;
}
