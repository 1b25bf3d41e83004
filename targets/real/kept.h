// Memory of a parser that loses some of it, so that no run has what an earlier one left: its recipe has malloc and the others
// called by these names, and its harness includes this once and calls kept_free_all.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct kept {
  _Alignas(max_align_t) struct kept *next;
  struct kept *before;
  size_t size;
};

static struct kept *kept_first;

void *kept_malloc(size_t size) {
  if (size > SIZE_MAX - sizeof(struct kept)) return NULL;
  struct kept *block = malloc(sizeof *block + size);
  if (block == NULL) return NULL;
  block->size = size;
  block->before = NULL;
  block->next = kept_first;
  if (kept_first != NULL) kept_first->before = block;
  kept_first = block;
  return block + 1;
}

void kept_free(void *memory) {
  if (memory == NULL) return;
  struct kept *block = (struct kept *)memory - 1;
  if (block->next != NULL) block->next->before = block->before;
  if (block->before != NULL) {
    block->before->next = block->next;
  } else {
    kept_first = block->next;
  }
  free(block);
}

void *kept_calloc(size_t count, size_t size) {
  if (size != 0 && count > SIZE_MAX / size) return NULL;
  void *memory = kept_malloc(count * size);
  return memory == NULL ? NULL : memset(memory, 0, count * size);
}

void *kept_realloc(void *memory, size_t size) {
  void *other = kept_malloc(size);
  if (other == NULL || memory == NULL) return other;
  const size_t had = ((struct kept *)memory - 1)->size;
  memcpy(other, memory, had < size ? had : size);
  kept_free(memory);
  return other;
}

char *kept_strdup(const char *text) {
  char *other = kept_malloc(strlen(text) + 1);
  return other == NULL ? NULL : strcpy(other, text);
}

static void kept_free_all(void) {
  while (kept_first != NULL) kept_free(kept_first + 1);
}
