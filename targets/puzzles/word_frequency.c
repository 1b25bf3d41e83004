// PUZZLE: reach perf 91 in follow; run --domain perf --max-len 60 --runs 1000000
// After figure 3.1 of the thesis: counts words with a hash table whose buckets are lists. 60 bytes are at most 30 words;
// were no list longer than 4, none of them would follow more than 3 links, 90 in all. So 91 take at least 5 distinct
// words with the same hash, and then some of them again. Following a link is a call, which no compiler can count away.
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

static __attribute__((noinline)) struct entry *follow(struct entry *entry) {
  __asm__("" : "+r"(entry));
  return entry->next;
}

static __attribute__((noinline)) unsigned compute_hash(const char *word) {
  unsigned hash = 0;
  for (const char *c = word; *c; c++) hash = 31 * hash + (unsigned char)*c;
  return hash % TABLE_SIZE;
}

static __attribute__((noinline)) void add_word(const char *word) {
  struct entry **bucket = &table[compute_hash(word)];
  for (struct entry *entry = *bucket; entry; entry = follow(entry)) {
    if (strcmp(entry->word, word) == 0) {
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
