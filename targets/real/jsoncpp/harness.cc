// Parses the input as JSON in C++, writes it out again, and asks for members with exceptions in play.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>

namespace {

// Conversions throw when the value is of another kind.
void visit(const Json::Value &value) {
  for (const Json::Value &child : value) {
    try {
      (void)child.asInt();
    } catch (const Json::Exception &) {
      (void)child.isConvertibleTo(Json::stringValue);
    }
    visit(child);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Json::CharReaderBuilder builder;
  builder["stackLimit"] = 100;
  const std::unique_ptr<Json::CharReader> reader(builder.newCharReader());
  const char *begin = reinterpret_cast<const char *>(data);
  try {
    Json::Value root;
    std::string errors;
    if (!reader->parse(begin, begin + size, &root, &errors)) return 0;
    visit(root);
    std::ostringstream text;
    const std::unique_ptr<Json::StreamWriter> writer(Json::StreamWriterBuilder().newStreamWriter());
    writer->write(root, &text);
  } catch (const Json::Exception &) {
    // Too deep a nesting, or a number out of range: an answer, not a fault.
  }
  return 0;
}
