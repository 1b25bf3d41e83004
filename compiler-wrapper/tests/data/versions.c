// Functions that are hard to have two of, each with a comparison in it.
#define _GNU_SOURCE
#include <alloca.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))
static volatile int sink;

typedef struct big { long a[9]; } big;
typedef struct small { int a, b; } small;

KEEP int variadic(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  for (int i = 0; i < count; i++) {
    int next = va_arg(list, int);
    if (next == 4711) sink++, total += 1000;
    total += next;
  }
  va_end(list);
  return total;
}

KEEP int machine(const char *code) {
  static const void *const steps[] = {&&stop, &&add, &&twice};
  int value = 1;
  goto *steps[*code - '0'];
add:
  if (value == 77) sink++;
  value += 3;
  goto *steps[*++code - '0'];
twice:
  value *= 2;
  goto *steps[*++code - '0'];
stop:
  return value;
}

static jmp_buf top;
KEEP void leap(int value) { if (value == 1234) longjmp(top, 5); }
KEEP int jumps(int value) {
  volatile int before = value;
  int came = setjmp(top);
  if (came == 0) leap(value);
  return came * 10000 + before;
}

KEEP long by_value(int x, big b, int y, big c) {
  if (x == 31337) sink++;
  b.a[0] += x;
  return b.a[0] + b.a[8] + c.a[4] * 2 + y;
}
KEEP big returned(int x, long y) {
  big b = {{x, 2, 3, 4, 5, 6, 7, 8, y}};
  if (x == 31337) b.a[1] = -1;
  return b;
}
KEEP small returned_small(int x) { return x == 555 ? (small){1, 2} : (small){x, x}; }
KEEP double many(int a, double b, long c, float d, int e, int f, int g, int h, int i, double j, char k, short l) {
  if (a == 9999 || b == 2.5) sink++;
  return a + b + c + d + e * 2 + f * 3 + g * 4 + h * 5 + i * 6 + j + k + l;
}
KEEP long double wide(long double x, __int128 y) { return y == 5 ? x : x + (long double)(long)y; }

KEEP int recursive(int n) { return n == 12345 ? -1 : n <= 1 ? 1 : recursive(n - 1) + recursive(n - 2); }
static KEEP int odd(unsigned n);
static KEEP int even(unsigned n) { if (n == 4242424) sink++; return n == 0 ? 1 : odd(n - 1); }
static KEEP int odd(unsigned n) { if (n == 4242423) sink++; return n == 0 ? 0 : even(n - 1); }
#if __has_attribute(musttail)
KEEP int down(int n, int total) {
  if (n == 999999) sink++;
  if (n == 0) return total;
  __attribute__((musttail)) return down(n - 1, total + n);
}
KEEP int compare_last(const char *a, const char *b) {
  if (*a == '#') return 7;
  __attribute__((musttail)) return strcmp(a, b);
}
#endif

KEEP int on_stack(int n) {
  int first[n], *second = alloca(n * sizeof *second);
  for (int i = 0; i < n; i++) first[i] = second[i] = i;
  if (n == 77777) sink++;
  return first[n - 1] + second[n / 2];
}
KEEP int aligned(int n) {
  _Alignas(64) char buffer[128];
  memset(buffer, n, sizeof buffer);
  if (n == 88888) sink++;
  return buffer[64] + (int)((uintptr_t)buffer % 64);
}

__attribute__((weak)) KEEP int weak_one(int n) { return n == 3333 ? 1 : 2; }
KEEP int real_one(int n) { return n == 4444 ? 3 : 4; }
int other_name(int n) __attribute__((alias("real_one")));
static int (*choose(void))(int) { return real_one; }
int chosen(int n) __attribute__((ifunc("choose")));
#if defined(__x86_64__)
__attribute__((naked)) int bare(int n) { __asm__("leal 1(%rdi), %eax\n\tret"); }
#else
int bare(int n) { return n + 1; }
#endif
__attribute__((constructor)) static void early(void) { if (sink == 4321) abort(); }
static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x == y ? 0 : x < y ? -1 : 1;
}
static int (*const table[])(int) = {real_one, weak_one, recursive};
__attribute__((noreturn)) static KEEP void leave(int n) { if (n == 5151) puts("special"); puts("left"); exit(n == 5151); }
KEEP int inner(int (*f)(int), int n) { return f == real_one ? f(n) + 100 : f(n); }
__attribute__((pure)) KEEP int pure(int n) { return n == 7171 ? 1 : n + 1; }

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 6;
  big b = {{1, 2, 3, 4, 5, 6, 7, 8, 9}}, c = {{11, 12, 13, 14, 15, 16, 17, 18, 19}};
  printf("%d %d %d\n", variadic(3, n, 4711, 5), machine("1212120"), machine("0"));
  printf("%d %d\n", jumps(1234), jumps(7));
  printf("%ld %ld\n", by_value(n, b, 3, c), by_value(31337, c, 4, b));
  big r = returned(n, 70), s = returned(31337, 71);
  printf("%ld %ld %ld %ld\n", r.a[0], r.a[8], s.a[1], s.a[8]);
  printf("%d %d\n", returned_small(555).b, returned_small(n).b);
  printf("%g\n", many(n, 2.5, 3, 4.5f, 5, 6, 7, 8, 9, 10.25, 'a', -3));
  printf("%Lg %Lg\n", wide(1.5L, 5), wide(1.5L, n));
  printf("%d %d %d\n", recursive(n + 9), even(1000), odd(1001));
#if __has_attribute(musttail)
  printf("%d %d %d\n", down(1000, 0), compare_last("same", "same"), compare_last("#", "x"));
#endif
  printf("%d %d\n", on_stack(n + 20), aligned(n));
  printf("%d %d %d %d %d\n", weak_one(3333), other_name(4444), chosen(4444), bare(n), table[n % 3](4444));
  int numbers[] = {5, n, 9, 1};
  qsort(numbers, 4, sizeof *numbers, ascending);
  printf("%d %d %d %d\n", numbers[0], numbers[1], numbers[2], numbers[3]);
  printf("%d %d %d\n", inner(real_one, 4444), inner(weak_one, 1), real_one == table[0] && real_one == other_name);
  printf("%d\n", pure(n) + pure(7171));
  fflush(stdout);
  leave(n);
}
