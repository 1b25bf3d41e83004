// What C++ adds to functions that are hard to have two of.
#include "versions.h"

#include <coroutine>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <string>

struct Steps {
  struct promise_type {
    int value = 0;
    Steps get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) { value = v; return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};
Steps count(int limit) {
  for (int i = 0; i < limit; i++) {
    if (i == 4711) co_yield -1;
    co_yield i * i;
  }
}

struct Base {
  virtual ~Base() = default;
  virtual int area(int x) const { return x == 606 ? 1 : 2; }
};
struct Derived : virtual Base {
  int side = 3;
  int area(int x) const override { return x == 707 ? side : side * x; }
};
struct Noisy {
  ~Noisy() { std::puts("destroyed"); }
};
__attribute__((noinline)) int throws(int x) {
  Noisy noisy;
  if (x == 808) throw std::string("808");
  if (x == 809) throw x;
  return x;
}

int main() {
  Steps steps = count(5);
  int total = 0;
  while (steps.handle.resume(), !steps.handle.done()) total += steps.handle.promise().value;
  steps.handle.destroy();
  Derived derived;
  const Base &base = derived;
  std::function<int(int)> closure = [&](int x) { return x == 909 ? total : base.area(x); };
  std::printf("%d %d %d %d\n", total, base.area(707), base.area(5), closure(909));
  for (int x : {1, 808, 809}) try {
      std::printf("%d\n", throws(x));
    } catch (const std::string &what) {
      std::printf("caught %s\n", what.c_str());
    } catch (int what) {
      std::printf("caught int %d\n", what);
    }
  std::map<std::string, int> words{{"one", 1}, {"two", 2}};
  std::printf("%d %d %d %s\n", words["two"], largest(3, 7), shared(5050), other().c_str());
}
