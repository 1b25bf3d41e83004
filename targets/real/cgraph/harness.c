// Reads the input as a graph in DOT, by libcgraph.
#include <cgraph.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void reset_scan(void), reset_grammar(void), reset_strings(void);

static jmp_buf end;

// Its memory. What has a name is sorted by where the name lies, so every run finds the same places; a graph that is too big ends.
enum { kMemory = 32 << 20 };
static _Alignas(max_align_t) unsigned char memory[kMemory];
static size_t used;

void own_exit(int code) { (void)code, longjmp(end, 1); }

void *own_malloc(size_t size) {
  const size_t unit = sizeof(max_align_t);
  if (size > kMemory) longjmp(end, 1);
  const size_t whole = unit + (size + unit - 1) / unit * unit;
  if (whole > kMemory - used) longjmp(end, 1);
  unsigned char *block = memory + used;
  used += whole;
  memcpy(block, &size, sizeof size);
  return memset(block + unit, 0, whole - unit);
}
void own_free(void *block) { (void)block; }
void *own_calloc(size_t count, size_t size) {
  if (size != 0 && count > kMemory / size) longjmp(end, 1);
  return own_malloc(count * size);
}
void *own_realloc(void *block, size_t size) {
  void *other = own_malloc(size);
  size_t had = 0;
  if (block == NULL) return other;
  memcpy(&had, (unsigned char *)block - sizeof(max_align_t), sizeof had);
  return memcpy(other, block, had < size ? had : size);
}

// Nothing is printed.
int own_fprintf(FILE *file, const char *format, ...) { return (void)file, (void)format, 0; }
int own_vfprintf(FILE *file, const char *format, va_list arguments) { return (void)file, (void)format, (void)arguments, 0; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  used = 0;
  if (setjmp(end) == 0) agmemread(text);
  reset_scan();
  reset_grammar();
  reset_strings();
  free(text);
  return 0;
}
