// Allocates in every way C++ has, each in a function of its own; prints what it got.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#define KEEP extern "C" __attribute__((noinline))
struct alignas(64) Wide { char c[64]; };
static char *volatile kept;

KEEP char *by_new() { return reinterpret_cast<char *>(new long[1]); } /* by_new */
KEEP char *by_new_array(std::size_t n) { return new char[n]; } /* by_new_array */
KEEP char *by_operator(std::size_t n) { return static_cast<char *>(::operator new(n)); } /* by_operator */
KEEP char *by_nothrow(std::size_t n) { return new (std::nothrow) char[n]; } /* by_nothrow */
KEEP Wide *by_aligned(std::size_t n) { return new Wide[n / 64]; } /* by_aligned */
KEEP Wide *by_aligned_nothrow(std::size_t n) { return new (std::nothrow) Wide[n / 64]; } /* by_aligned_nothrow */
KEEP std::size_t by_vector(std::size_t n) { std::vector<char> v(n); kept = v.data(); return v.size(); } /* by_vector */

struct Throws {
  __attribute__((noinline)) Throws() { kept = reinterpret_cast<char *>(this); throw std::runtime_error("constructor"); }
};
KEEP void by_throwing() { kept = reinterpret_cast<char *>(new Throws); } /* by_throwing */
KEEP void by_throwing_nothrow() { kept = reinterpret_cast<char *>(new (std::nothrow) Throws); } /* by_throwing_nothrow */

template <class F> static void attempt(const char *how, F f) {
  try {
    std::printf("%s %s\n", how, f() ? "yes" : "null");
  } catch (const std::bad_alloc &) {
    std::printf("%s bad_alloc\n", how);
  } catch (const std::exception &e) {
    std::printf("%s %s\n", how, e.what());
  }
}

int main(int, char **argv) {
  std::size_t n = std::strtoul(argv[1], nullptr, 0);
  attempt("new", [&] { char *p = by_new(); kept = p; delete[] reinterpret_cast<long *>(p); return true; });
  attempt("new[]", [&] { char *p = by_new_array(n); kept = p; delete[] p; return true; });
  attempt("operator new", [&] { char *p = by_operator(n); kept = p; ::operator delete(p); return true; });
  attempt("nothrow", [&] { char *p = by_nothrow(n); kept = p; delete[] p; return p != nullptr; });
  attempt("aligned", [&] { Wide *p = by_aligned(n); bool ok = reinterpret_cast<std::size_t>(p) % 64 == 0; kept = p->c; delete[] p; return ok; });
  attempt("aligned nothrow", [&] { Wide *p = by_aligned_nothrow(n); kept = p ? p->c : nullptr; delete[] p; return p != nullptr; });
  attempt("vector", [&] { return by_vector(n) == n; });
  attempt("throwing", [&] { by_throwing(); return true; });
  attempt("throwing nothrow", [&] { by_throwing_nothrow(); return true; });
  attempt("unique", [&] { auto p = std::make_unique<std::string>(40, 'x'); return p->size() == 40; });
  return 0;
}
