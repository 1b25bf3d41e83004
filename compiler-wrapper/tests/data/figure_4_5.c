/* A change in the first branch makes a division in the second one unsafe. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) int foo(int a, int b) {
  int divisor = a;
  if ((a + b) % 2) {
    divisor = 2 - a;
  }
  if (a % 3 && a > 0) {
    return b / divisor;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 3) printf("%d\n", foo(atoi(argv[1]), atoi(argv[2])));
  return 0;
}
