/* Four nested conditions, soft ones first, a hard one last: only equal numbers get to the end. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) void *test(uint16_t a, uint16_t b) {
  if (a % 3 == 2) {
    if (a > 0x1000) {
      if (b >= 0x0123) {
        if (a == b) {
          printf("reached\n");
          exit(0);
        }
        return malloc(a);
      }
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  if (argc == 3) free(test((uint16_t)atoi(argv[1]), (uint16_t)atoi(argv[2])));
  return 0;
}
