// Counts the words of the input with a hash table whose buckets are lists: words of one hash cost quadratic time.
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kBuckets = 1001 };

struct entry {
  struct entry *next, *older;
  const uint8_t *word;
  size_t length;
  unsigned count;
};

static unsigned hash_of(const uint8_t *word, size_t length) {
  unsigned hash = 0;
  for (size_t i = 0; i < length; i++) hash = hash * 31 + word[i];
  return hash % kBuckets;
}

static struct entry *buckets[kBuckets], *newest;

static void count_word(const uint8_t *word, size_t length) {
  struct entry **place = &buckets[hash_of(word, length)];
  for (; *place != NULL; place = &(*place)->next) {
    if ((*place)->length == length && memcmp((*place)->word, word, length) == 0) {
      (*place)->count++;
      return;
    }
  }
  struct entry *entry = malloc(sizeof *entry);
  if (entry == NULL) return;
  *entry = (struct entry){NULL, newest, word, length, 1};
  *place = newest = entry;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (size_t start = 0, at = 0; at <= size; at++) {
    if (at < size && !isspace(data[at]) && data[at] != 0) continue;
    if (at > start) count_word(data + start, at - start);
    start = at + 1;
  }
  // By entry, not by bucket: going through an empty table would hide what the words cost.
  while (newest != NULL) {
    struct entry *older = newest->older;
    buckets[hash_of(newest->word, newest->length)] = NULL;
    free(newest);
    newest = older;
  }
  return 0;
}
