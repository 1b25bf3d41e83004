// Allocates in every way C has, each in a function of its own; prints what it got.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))
static char *volatile kept;

KEEP void *by_malloc(size_t n) { return malloc(n); } /* by_malloc */
KEEP void *by_calloc(size_t n) { return calloc(n / 4, 4); } /* by_calloc */
KEEP void *by_realloc(void *old, size_t n) { return realloc(old, n); } /* by_realloc */
KEEP void *by_reallocarray(void *old, size_t n) { return reallocarray(old, n / 4, 4); } /* by_reallocarray */
KEEP void *by_aligned_alloc(size_t n) { return aligned_alloc(64, n); } /* by_aligned_alloc */
KEEP void *by_memalign(size_t n) { return memalign(64, n); } /* by_memalign */
KEEP int by_posix_memalign(void **out, size_t n) { return posix_memalign(out, 64, n); } /* by_posix_memalign */
KEEP char *by_strdup(const char *text) { return strdup(text); } /* by_strdup */
KEEP char *by_strndup(const char *text, size_t n) { return strndup(text, n); } /* by_strndup */
KEEP int by_asprintf(char **out, int n) { return asprintf(out, "%*d", n, 7); } /* by_asprintf */
static KEEP int by_vasprintf(char **out, const char *format, va_list list) { return vasprintf(out, format, list); } /* by_vasprintf */
static KEEP int formatted(char **out, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = by_vasprintf(out, format, list);
  va_end(list);
  return n;
}

/* Hooks as cJSON has them, and pointers in other places. */
typedef struct hooks {
  void *(*allocate)(size_t);
  void (*deallocate)(void *);
  void *(*reallocate)(void *, size_t);
} hooks;
static hooks global_hooks = {malloc, free, realloc};
static void *(*volatile lone)(size_t, size_t) = calloc;
KEEP void *by_hook(const hooks *h, size_t n) { return h->allocate(n); } /* by_hook */
KEEP void *by_hook_again(const hooks *h, void *old, size_t n) { return h->reallocate(old, n); } /* by_hook_again */
KEEP void *by_pointer(size_t n) { return lone(n, 1); } /* by_pointer */
KEEP int is_standard(const hooks *h) { return h->allocate == malloc && h->deallocate == free && h->reallocate == realloc; }
static void *own_allocate(size_t n) { return by_malloc(n); }

static void *filled(void *block, size_t n) { return block ? memset(block, 0x5a, n) : NULL; }

/* A block, or why there is none. */
static void *shown(const char *how, void *block, int error) {
  printf("%s %s\n", how, block ? "yes" : error == ENOMEM ? "ENOMEM" : "no");
  return block;
}
/* Out of line: the optimiser believes that malloc leaves errno alone. */
KEEP void forget_errors(void) { errno = 0; }
KEEP int last_error(void) { return errno; }
#define TRY(how, call) (forget_errors(), shown(how, kept = (call), last_error()))

int main(int argc, char **argv) {
  size_t n = strtoul(argv[1], NULL, 0), more = argc > 2 ? strtoul(argv[2], NULL, 0) : n;
  void *out = &out;
  char *printed = NULL;
  free(filled(TRY("malloc", by_malloc(n)), n < 4096 ? n : 4096));
  char *zeroes = TRY("calloc", by_calloc(n));
  if (zeroes) printf("zero %d\n", zeroes[0] | zeroes[n / 4 * 4 - 1]);
  free(zeroes);
  free(TRY("aligned_alloc", by_aligned_alloc(n)));
  free(TRY("memalign", by_memalign(n)));
  int result = by_posix_memalign(&out, n);
  printf("posix_memalign %s %d\n", result == ENOMEM ? "ENOMEM" : "yes", result ? out == &out : (uintptr_t)out % 64 == 0);
  if (!result) free(out);
  char *text = malloc(n < 4096 ? n : 4096);
  memset(text, 'x', n < 4096 ? n : 4096);
  text[(n < 4096 ? n : 4096) - 1] = 0;
  free(TRY("strdup", by_strdup(text)));
  free(TRY("strndup", by_strndup("abcdef", 3)));
  if (by_asprintf(&printed, 99) == 99) puts("asprintf yes");
  free(printed);
  if (formatted(&printed, "%*d", 49, 3) == 49) puts("vasprintf yes");
  free(printed);
  /* A block that grows, and shrinks; a refusal leaves it as it was. */
  char *block = by_realloc(NULL, 256);
  memset(block, 'a', 256);
  char *grown = TRY("realloc", by_realloc(block, more));
  if (grown) block = grown;
  printf("still %c %c\n", block[0], block[255]);
  block = by_realloc(block, 256);
  grown = TRY("reallocarray", by_reallocarray(block, more));
  if (grown) block = grown;
  printf("still %c %c\n", block[0], block[255]);
  free(block);
  /* Pointers. */
  hooks own = {own_allocate, free, realloc};
  printf("standard %d %d\n", is_standard(&global_hooks), is_standard(&own));
  void *hooked = TRY("hook", by_hook(&global_hooks, n));
  void *again = TRY("hook again", by_hook_again(&global_hooks, hooked, more));
  global_hooks.deallocate(again ? again : hooked);
  global_hooks.deallocate(TRY("pointer", by_pointer(n)));
  global_hooks.deallocate(TRY("own", by_hook(&own, 16)));
  return 0;
}
