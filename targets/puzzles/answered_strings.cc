// PUZZLE: find crash (SIGABRT) in answered; run --runs 200000; not --no-trace --runs 400000; build -std=c++17
// Strings of C++, of which each is compared only when the one before it was right: by ==, in a map, a part of one, and
// found somewhere. Up to C++17 most of that is done in code that libstdc++ has compiled.
#include <cstdint>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>

static __attribute__((noinline)) void answered() { abort(); }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const std::map<std::string, int> verbs = {{"borrow", 1}, {"transfer", 2}, {"withdraw", 3}};
  if (size > 256) return 0;
  std::istringstream words(std::string(reinterpret_cast<const char *>(data), size));
  std::string first, second, third, fourth;
  words >> first >> second >> third >> fourth;
  if (first != "account") return 0;
  const auto verb = verbs.find(second);
  if (verb == verbs.end() || verb->second != 2) return 0;
  if (third.compare(0, 10, "everything") != 0) return 0;
  if (fourth.find("please") == std::string::npos) return 0;
  answered();
  return 0;
}
