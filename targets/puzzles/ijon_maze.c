// PUZZLE: find crash (SIGABRT) in out_of_the_maze; run --max-len 256 --runs 1500000; not --record ijon_set --max-len 256 --runs 1000000
// The maze of the IJON paper in its hard form, annotated with IJON's macro and nothing else: one may go back, and a wall
// costs a move only, so that every walk takes the same edges. The annotation guides without an option and without an
// include; where it is only recorded, the way out is not found in 30 times the runs that it takes.
#include <stdint.h>
#include <stdlib.h>

static const char maze[][12] = {
    "+-+---+---+", "| |     |#|", "| | --+ | |", "| |   | | |", "| +-- | | |", "|     |   |", "+-----+---+",
};

static __attribute__((noinline)) void out_of_the_maze(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  int x = 1, y = 1;
  for (size_t i = 0; i < size; i++) {
    int to_x = x, to_y = y;
    switch (data[i]) {
      case 'w': to_y--; break;
      case 's': to_y++; break;
      case 'a': to_x--; break;
      case 'd': to_x++; break;
      default: return 0;
    }
    if (maze[to_y][to_x] == '#') out_of_the_maze();
    if (maze[to_y][to_x] == ' ') {
      x = to_x;
      y = to_y;
    }
    IJON_SET(ijon_hashint(x, y));
  }
  return 0;
}
