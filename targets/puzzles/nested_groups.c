// PUZZLE: reach stack 57000 in group; run --domain stack --max-len 600 --runs 60000; not --no-learn-tokens --max-len 600 --runs 60000
// A recursive parser of groups such as `(a(b)c)`. Coverage is content with a hundred of them, wherever they are; only the
// stack tells one group within another from two in a row.
#include <stdint.h>
#include <string.h>

#include <waypoint.h>

static const uint8_t *at, *end;

static __attribute__((noinline)) int group(void) {
  volatile char name[64];
  size_t length = 0;
  while (at < end) {
    uint8_t c = *at++;
    if (c == '(') {
      if (!group()) return 0;
    } else if (c == ')') {
      return 1;
    } else if (length < sizeof name) {
      name[length++] = (char)c;
    } else {
      return 0;
    }
  }
  return length > 0 && name[0] == '\n';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  at = data;
  end = data + size;
  while (at < end && group()) continue;
  return 0;
}
