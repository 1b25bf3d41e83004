#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static jmp_buf top;

static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  while (count-- > 0) total += va_arg(list, int);
  va_end(list);
  return total;
}

static void jump(int value) {
  if (value > 2) longjmp(top, value);
}

int classify(const char *text) {
  if (!strcmp(text, "one")) return 1;
  if (!strcmp(text, "two")) return 2;
  switch (text[0]) {
    case 'a': return sum(3, 1, 2, 3);
    case 'b': return sum(1, 7);
    default: return 0;
  }
}

int main(int argc, char **argv) {
  int came_back = setjmp(top);
  if (!came_back) jump(argc);
  for (int i = 1; i < argc; i++) printf("%s=%d ", argv[i], classify(argv[i]));
  printf("jumped=%d\n", came_back);
  return 0;
}
