// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words overlap in one text, as SQLite's do, and are found by their ends and their length.
#include "tokens_reader.h"

static const char kText[79] = "whileverifyrenamendropenhaltrayieldozerowhenighthenextextrimatchainnerrorderive";
// when, then, end and halt come first; the others are further words for halt.
static const struct {
  unsigned char start, length;
} kWords[] = {{40, 4}, {47, 4}, {16, 3}, {24, 4}, {0, 5},  {4, 4},  {43, 5}, {27, 4}, {30, 5},
              {34, 4}, {36, 4}, {11, 6}, {15, 4}, {18, 4}, {20, 4}, {50, 4}, {53, 4}, {56, 4},
              {59, 5}, {62, 5}, {65, 5}, {68, 5}, {71, 5}, {73, 6}, {5, 6}};
enum { WORDS = sizeof kWords / sizeof *kWords };
static unsigned char table[256];

static unsigned hash(const char *start, size_t length) {
  return ((unsigned char)start[0] * 4u ^ (unsigned char)start[length - 1] * 3u ^ (unsigned)length) * 0x9E3779B1u >> 24;
}

// Only what has the ends and the length of a word is compared with it.
static enum kind word(const char *start, size_t length) {
  const int found = table[hash(start, length)] - 1;
  if (found < 0 || kWords[found].length != length) return NAME;
  const char *expected = kText + kWords[found].start;
  size_t same = 0;
  while (same < length && start[same] == expected[same]) same++;
  if (same < length) return NAME;
  return found < 4 ? (enum kind)(WHEN + found) : HALT;
}

static int begin(void) {
  for (int i = WORDS; i-- > 0;) table[hash(kText + kWords[i].start, kWords[i].length)] = (unsigned char)(i + 1);
  return 1;
}
