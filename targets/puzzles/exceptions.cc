// PUZZLE: find crash in terminate_here; run --runs 1500000
// C++ that throws on most inputs and catches; one exception is caught by nobody.
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <waypoint.h>

template <typename T>
static T parse(const std::string &text) {
  if (text.empty()) throw std::invalid_argument("empty");
  T value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') throw std::runtime_error("digit");
    value = static_cast<T>(value * 10 + (c - '0'));
  }
  return value;
}

static __attribute__((noinline)) void terminate_here(uint16_t value) noexcept {
  if (value == 77) throw std::out_of_range("nobody catches this");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  try {
    if (parse<unsigned long>(text) == 7) throw std::string("seven");
    terminate_here(parse<uint16_t>(text));
  } catch (const std::exception &) {
  } catch (const std::string &) {
  }
  return 0;
}
