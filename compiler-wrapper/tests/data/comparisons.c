// Compares in every way that is recorded, once for every line of its arguments; each function stands for one way.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KEEP __attribute__((noinline))
static volatile int sink;

KEEP int equal32(uint32_t a, uint32_t b) { if (a == b) { sink++; return 1; } return 0; } /* equal32 */
KEEP int unequal16(uint16_t a, uint16_t b) { if (a != b) { sink++; return 1; } return 0; } /* unequal16 */
KEEP int equal64(uint64_t a) { if (a == 0x123456789abcdef0) { sink++; return 1; } return 0; } /* equal64 */
KEEP int below(uint32_t a) { if (a < 100000) { sink++; return 1; } return 0; } /* below */
KEEP int below_signed(int32_t a) { if (a < -100000) { sink++; return 1; } return 0; } /* below_signed */
KEEP int doubles(double a, double b) { if (a == b) { sink++; return 1; } return 0; } /* doubles */
KEEP int floats(float a, float b) { if (a < b) { sink++; return 1; } return 0; } /* floats */
KEEP int cases(uint32_t a) {
  switch (a) { /* cases */
    case 7: sink += 1; return 1;
    case 0x5a17c0de: sink += 5; return 2;
    case 1000000: sink += 9; return 3;
    case 0xfffffff0: sink += 17; return 4;
    default: return 0;
  }
}
KEEP int memory(const char *a, const char *b, size_t n) { return memcmp(a, b, n); } /* memory */
KEEP int bytes(const char *a, const char *b, size_t n) { return bcmp(a, b, n); } /* bytes */
KEEP int string(const char *a, const char *b) { return strcmp(a, b); } /* string */
KEEP int string_n(const char *a, const char *b, size_t n) { return strncmp(a, b, n); } /* string_n */
KEEP int cased(const char *a, const char *b) { return strcasecmp(a, b); } /* cased */
KEEP int cased_n(const char *a, const char *b, size_t n) { return strncasecmp(a, b, n); } /* cased_n */
KEEP const char *in(const char *a, const char *b) { return strstr(a, b); } /* in */
KEEP const char *in_n(const char *a, size_t m, const char *b, size_t n) { return memmem(a, m, b, n); } /* in_n */

static int sign(int a) { return (a > 0) - (a < 0); }
static long at(const char *found, const char *text) { return found ? found - text : -1; }

static long one(const char *how, const char *a, const char *b, size_t n) {
  if (!strcmp(how, "equal32")) return equal32(strtoul(a, NULL, 0), strtoul(b, NULL, 0));
  if (!strcmp(how, "unequal16")) return unequal16(strtoul(a, NULL, 0), strtoul(b, NULL, 0));
  if (!strcmp(how, "equal64")) return equal64(strtoull(a, NULL, 0));
  if (!strcmp(how, "below")) return below(strtoul(a, NULL, 0));
  if (!strcmp(how, "below_signed")) return below_signed(atoi(a));
  if (!strcmp(how, "doubles")) return doubles(strtod(a, NULL), strtod(b, NULL));
  if (!strcmp(how, "floats")) return floats(strtof(a, NULL), strtof(b, NULL));
  if (!strcmp(how, "cases")) return cases(strtoul(a, NULL, 0));
  if (!strcmp(how, "memory")) return sign(memory(a, b, n));
  if (!strcmp(how, "bytes")) return !!bytes(a, b, n);
  if (!strcmp(how, "string")) return sign(string(a, b));
  if (!strcmp(how, "string_n")) return sign(string_n(a, b, n));
  if (!strcmp(how, "cased")) return sign(cased(a, b));
  if (!strcmp(how, "cased_n")) return sign(cased_n(a, b, n));
  if (!strcmp(how, "in")) return at(in(a, b), a);
  if (!strcmp(how, "in_n")) return at(in_n(a, strlen(a), b, strlen(b)), a);
  abort();
}

int main(int argc, char **argv) {
  for (int i = 1; i + 3 < argc; i += 4) printf("%ld\n", one(argv[i], argv[i + 1], argv[i + 2], strtoul(argv[i + 3], NULL, 0)));
  return 0;
}
