// Compares std::strings in every way that libstdc++ has compiled, once for every two arguments.
#include <cstdio>
#include <cstdlib>
#include <string>

#define KEEP extern "C" __attribute__((noinline))
using String = const std::string &;

KEEP int equal(String a) { return a == "needle"; }
KEEP int text(String a) { return a.compare("needle"); }
KEEP int string(String a, String b) { return a.compare(b); }
KEEP int part(String a) { return a.compare(2, 6, "needle"); }
KEEP int bytes(String a) { return a.compare(2, 6, "needles", 6); }
KEEP int part_of(String a, String b) { return a.compare(2, 6, b); }
KEEP long found(String a) { return static_cast<long>(a.find("needle")); }
KEEP long behind(String a) { return static_cast<long>(a.find("needles", 2, 6)); }
KEEP long found_string(String a, String b) { return static_cast<long>(a.find(b, 1)); }

static int sign(int a) { return (a > 0) - (a < 0); }

static long one(int how, const char *text_of_a) {
  const std::string a = text_of_a, needle = "needle";
  switch (how) {
    case 'e': return equal(a);
    case 't': return sign(text(a));
    case 's': return sign(string(a, needle));
    case 'p': return sign(part(a));
    case 'b': return sign(bytes(a));
    case 'o': return sign(part_of(a, needle));
    case 'f': return found(a);
    case 'h': return behind(a);
    case 'i': return found_string(a, needle);
    default: abort();
  }
}

int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    try {
      std::printf("%ld\n", one(argv[i][0], argv[i + 1]));
    } catch (const std::exception &) {
      std::puts("thrown");
    }
  }
  return 0;
}
