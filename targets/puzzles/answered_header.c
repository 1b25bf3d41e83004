// PUZZLE: find crash (SIGABRT) in answered; run --runs 100000; not --no-trace --runs 200000
// A header whose fields are all looked at before it is said that one was wrong: every field can have been right once
// without all being right together.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static __attribute__((noinline)) void answered(void) { abort(); }

static volatile int complaints;

static __attribute__((noinline)) int complain(int which) {
  complaints = which;
  return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t width, height;
  int wrong = 0;
  if (size < 16 || memcmp(data, "HD", 2) != 0) return 0;
  memcpy(&width, data + 2, 4);
  memcpy(&height, data + 6, 4);
  if (width == 0 || width > 70000) wrong |= complain(1);
  if (height == 0 || height > 70000) wrong |= complain(2);
  if (data[10] != 1 && data[10] != 2 && data[10] != 4) wrong |= complain(3);
  if (data[11] != 19) wrong |= complain(4);
  if (data[12] != 33) wrong |= complain(5);
  if (data[13] != 7 && data[13] != 9) wrong |= complain(6);
  if (wrong) return 0;
  answered();
  return 0;
}
