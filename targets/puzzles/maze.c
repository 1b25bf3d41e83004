// PUZZLE: find crash (SIGABRT) in out_of_the_maze; run --domain place --max-len 256 --runs 1500000; not --max-len 256 --runs 2000000
// A maze in which the place is data: every step takes the same edges, wherever it is made, so coverage has nothing to go
// by. A domain with a key for every place keeps an input for each of them, and the search goes on from the frontier.
#include <stdint.h>
#include <stdlib.h>

#include <waypoint.h>

#define WIDTH 15
#define HEIGHT 15

static const char maze[HEIGHT][WIDTH + 1] = {
    "# #############", "#     #       #", "##### # ##### #", "#     # #   # #", "# ##### # # # #",
    "# #     # #   #", "# # ##### #####", "# # #   #     #", "# # # # ##### #", "# #   #     # #",
    "# ######### # #", "#         # # #", "######### # # #", "#           # #", "############# #",
};

static __attribute__((noinline)) void out_of_the_maze(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const signed char steps[4][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}};
  static dsf_t places;
  if (!places) places = dsf_new_domain("place", WIDTH * HEIGHT, dsf_max, 0);
  int x = 1, y = 0;
  if (size > 256) return 0;
  for (size_t i = 0; i < size; i++) {
    const signed char *step = steps[data[i] % 4];
    int to_x = x + step[0], to_y = y + step[1];
    // A wall, or the way out at the top, ends the walk.
    if (to_y < 0 || maze[to_y][to_x] != ' ') return 0;
    x = to_x;
    y = to_y;
    dsf_set(places, (size_t)(y * WIDTH + x), 1);
    if (y == HEIGHT - 1) out_of_the_maze();
  }
  return 0;
}
