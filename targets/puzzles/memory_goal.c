// PUZZLE: reach mem 65534 in test; run --domain mem --runs 200000
// The other goal of figure 4.1, the largest allocation: 0xFFFE bytes, since 0xFFFF % 3 is not 2.
#include "two_goals.c"
