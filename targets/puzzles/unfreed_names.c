// PUZZLE: reach leak 3000 in declare; run --domain leak --max-len 64 --runs 60000; not --max-len 64 --runs 60000
// Names that are declared are freed when their scope ends; one that hides another of the same name is forgotten. The table
// of keywords stays from the first run on and is nobody's leak.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

enum { LETTERS = 26 };
static char *keywords;
static char *names[LETTERS];

static __attribute__((noinline)) void remember_keywords(void) {
  if (!keywords) keywords = malloc(5000);
}

static __attribute__((noinline)) void declare(unsigned letter, size_t length) {
  char *name = malloc(length + 1);
  if (name) name[0] = (char)('a' + letter);
  names[letter] = name;
}

static void end_scope(void) {
  for (unsigned i = 0; i < LETTERS; i++) {
    free(names[i]);
    names[i] = NULL;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  remember_keywords();
  for (size_t i = 0; i + 2 < size; i += 3) {
    if (data[i] == '{') declare(data[i + 1] % LETTERS, data[i + 2]);
    if (data[i] == '}') end_scope();
  }
  end_scope();
  return 0;
}
