// PUZZLE: reach perf 3 in found_behind_four; run --domain perf --max-len 60 --runs 12000000; not --no-trace --max-len 60 --runs 12000000
// After figure 3.1 of the thesis: counts words with a hash table whose buckets are lists. In 60 bytes, at least five
// distinct words must have the same hash, and then one behind four others must come again, three times. That a word was
// found so far behind is a call, so that its count is exact.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

#define TABLE_SIZE 1001
#define MAX_WORDS 64

struct entry {
  char word[64];
  int count;
  struct entry *next;
};

static struct entry *table[TABLE_SIZE];
static struct entry entries[MAX_WORDS];
static int n_entries;

static __attribute__((noinline)) void found_behind_four(struct entry *entry) { entry->count++; }

static __attribute__((noinline)) unsigned compute_hash(const char *word) {
  unsigned hash = 0;
  for (const char *c = word; *c; c++) hash = 31 * hash + (unsigned char)*c;
  return hash % TABLE_SIZE;
}

static __attribute__((noinline)) void add_word(const char *word) {
  struct entry **bucket = &table[compute_hash(word)];
  int behind = 0;
  for (struct entry *entry = *bucket; entry; entry = entry->next, behind++) {
    if (strcmp(entry->word, word) == 0) {
      if (behind >= 4)
        found_behind_four(entry);
      else
        entry->count++;
      return;
    }
  }
  if (n_entries == MAX_WORDS) return;
  struct entry *entry = &entries[n_entries++];
  strcpy(entry->word, word);
  entry->count = 1;
  entry->next = *bucket;
  *bucket = entry;
}

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 60) return 0;
  memset(table, 0, sizeof table);
  n_entries = 0;
  char word[64];
  size_t length = 0;
  for (size_t i = 0; i <= size; i++) {
    char c = i < size ? (char)data[i] : ' ';
    if (!is_space(c)) {
      word[length++] = c;
      continue;
    }
    word[length] = 0;
    if (length) add_word(word);
    length = 0;
  }
  return 0;
}
