// The other unit that uses what versions.h has.
#include "versions.h"
std::string other() {
  char *copy = copied("other");
  std::string text = std::string(copy) + std::to_string(largest(2, 1) + largest(2.5, 1.5) + shared(5050));
  std::free(copy);
  return text;
}
int unused(int a) { return a == 1717 ? 1 : 2; }
