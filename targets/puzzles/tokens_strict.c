// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose reader first looks through all of the input for what is no text.
#include "tokens_reader.h"
#include "tokens_words.h"

static enum kind word(const char *start, size_t length) { return listed_word(start, length); }

// Nothing is read of an input that is no text: plain signs, spaces and ends of lines, and signs of two bytes.
static int begin(void) {
  for (const char *sign = at; sign < end; sign++) {
    unsigned char byte = (unsigned char)*sign;
    if (byte >= 0xc2 && byte < 0xe0) {
      if (++sign == end || ((unsigned char)*sign & 0xc0) != 0x80) return 0;
    } else if (byte != 0x0a && (byte < 0x20 || byte > 0x7e)) {
      return 0;
    }
  }
  return 1;
}
