// Inline functions and templates that two units have in common.
#pragma once
#include <cstdlib>
#include <cstring>
#include <string>
template <class T> __attribute__((noinline)) T largest(T a, T b) { return a == T(1234) ? a : a < b ? b : a; }
inline __attribute__((noinline)) int shared(int a) {
  static int calls = 0;
  switch (a) {
    case 5050: return ++calls;
    case 6060: return --calls;
    case 70707: return calls * 3;
    default: return 0;
  }
}
inline __attribute__((noinline)) char *copied(const char *text) { return std::strcmp(text, "never") ? strdup(text) : nullptr; }
std::string other();
