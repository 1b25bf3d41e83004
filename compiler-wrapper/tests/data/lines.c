/* Lines marked `runs` are executed by `main`, those marked `dead` are not. */
#include <stdio.h>

extern void sink(int value);
__attribute__((noinline)) void sink(int value) { __asm__ volatile("" : : "r"(value)); }

static inline __attribute__((always_inline)) int helper(int a) {
  if (a > 1000) { /* inlined */
    sink(a);      /* inlined */
    return 1;
  }
  sink(-a); /* inlined */
  return a;
}

__attribute__((noinline)) int work(int n) {
  sink(1); /* runs */
  if (n > 3) { /* runs */
    sink(2); /* runs */
    if (n > 100) { /* runs */
      sink(3); /* dead */
    } else {
      sink(4); /* runs */
    }
    sink(5); /* runs */
  } else {
    sink(6); /* dead */
  }
  sink(7); /* runs */
  for (int i = 0; i < n; i++) { /* runs */
    sink(8); /* runs */
    if (i * n == 14) continue; /* runs */
    if (i > 1000) { /* runs */
      sink(9); /* dead */
      break;
    }
    sink(10); /* runs */
  }
  switch (n) { /* runs */
    case 1:
      sink(11); /* dead */
      break;
    case 7:
      sink(12); /* runs */
      break;
    default:
      sink(13); /* dead */
  }
  sink(14); /* runs */
  int got = helper(n); /* runs */
  while (n > 0) { /* runs */
    sink(n); /* runs */
    n -= 3;
  }
  if (got == 77) { /* runs */
    sink(15); /* dead */
    return 1;
  }
  sink(16); /* runs */
  return got;
}

int main(void) {
  printf("%d\n", work(7));
  return 0;
}
