// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 600000; not --no-trace --runs 600000
// A language that is read through tables, as generated scanners read: no byte is compared with any other.
#include "tokens_parser.h"

enum { START, ANY_NAME, COMMENT, STATES = 32 };

// From a state by a byte to another one. The words are no texts of the program: each letter is a row.
static const struct row {
  unsigned char from, by, to;
} kRows[] = {
    {START, 'w', 3},  {3, 'h', 4},   {4, 'e', 5},        {5, 'n', 6},      {START, 't', 7}, {7, 'h', 8},
    {8, 'e', 9},      {9, 'n', 10},  {START, 'e', 11},   {11, 'n', 12},    {12, 'd', 13},   {START, 'h', 14},
    {14, 'a', 15},    {15, 'l', 16}, {16, 't', 17},      {START, ';', 18}, {START, ' ', 19}, {START, '\n', 19},
    {START, '<', 20}, {20, '-', 21}, {COMMENT, '-', 22}, {22, '>', 23},    {22, '-', 22},
};

enum action { NOTHING, SKIP, INTO_COMMENT, OUT_OF_COMMENT, TAKE };

static unsigned char to[STATES][256], otherwise[STATES], action[STATES], kind[STATES];

// What a state has no row for is read as its other state reads it: a word's beginning as a name.
static int step(int state, unsigned char byte) {
  while (!to[state][byte]) {
    if (!otherwise[state]) return 0;
    state = otherwise[state];
  }
  return to[state][byte];
}

// The longest text that ends in an action, and back to there.
static enum kind next(void) {
  int start = START;
  while (at < end) {
    int state = start, found = 0;
    const char *behind = at;
    for (const char *byte = at; byte < end && (state = step(state, (unsigned char)*byte)); byte++) {
      if (action[state]) {
        found = state;
        behind = byte + 1;
      }
    }
    at = behind;
    switch (action[found]) {
      case SKIP: break;
      case INTO_COMMENT: start = COMMENT; break;
      case OUT_OF_COMMENT: start = START; break;
      case TAKE: return (enum kind)kind[found];
      default: return BAD;
    }
  }
  return END;
}

static void take(int state, enum kind what) {
  action[state] = TAKE;
  kind[state] = (unsigned char)what;
}

static int begin(void) {
  for (size_t i = 0; i < sizeof kRows / sizeof *kRows; i++) to[kRows[i].from][kRows[i].by] = kRows[i].to;
  for (int letter = 'a'; letter <= 'z'; letter++) to[ANY_NAME][letter] = ANY_NAME;
  for (int byte = 1; byte < 256; byte++) to[24][byte] = 25;
  for (int state = 3; state < 18; state++) {
    otherwise[state] = ANY_NAME;
    take(state, NAME);
  }
  otherwise[START] = ANY_NAME;
  otherwise[COMMENT] = 24;
  take(ANY_NAME, NAME);
  take(6, WHEN);
  take(10, THEN);
  take(13, DONE);
  take(17, HALT);
  take(18, SEMICOLON);
  action[19] = action[22] = action[25] = SKIP;
  action[21] = INTO_COMMENT;
  action[23] = OUT_OF_COMMENT;
  return 1;
}
