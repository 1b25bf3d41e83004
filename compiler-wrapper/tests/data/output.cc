// Writes to the streams of C++, one of them where an exception may pass.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

struct Guard {
  ~Guard() { std::cerr.put('g'); }
};

int main(int argc, char **) {
  std::string text(static_cast<size_t>(argc) * 10, 'x');
  Guard guard;
  std::cout << text << "\n";
  std::cout.write("four", 4);
  std::cout << std::endl;
  printf("%s\n", "printed");
  std::cerr << "oh" << '\n';
  std::ostringstream elsewhere;
  elsewhere << text;
  return 0;
}
