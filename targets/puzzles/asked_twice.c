// PUZZLE: reach mem 100000000000 in LLVMFuzzerTestOneInput; run -i PUZZLES/asked_twice.seeds --domain cmp,mem --max-len 1024 --runs 5000; not -i PUZZLES/asked_twice.seeds --max-len 1024 --runs 5000
// Records that each ask for as much memory as their size says, in the manner of chunks of an image: one kind of them is the
// end of the reading, which is where the largest size is found first; behind another kind the next record is read, and may ask
// for as much again. Records have to be put in whole, eight bytes at the right place.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

enum { kHeader = 24, kRecord = 8 };
static const uint32_t kMost = 0x7fffffff;
static volatile uint32_t sink;

// Fields that matter to nobody, and lead to as many ways as there are records.
static void look_at(const uint8_t *header) {
  for (int i = 0; i < kHeader; i++) {
    switch (header[i] >> 4) {
      case 1: sink += 2; break;
      case 5: sink ^= 3; break;
      case 9: sink *= 5; break;
      default: break;
    }
  }
}

static void *volatile block;

static void read_record(uint32_t size) {
  block = malloc(size);
  free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < kHeader) return 0;
  look_at(data);
  for (size_t at = kHeader; at + kRecord <= size; at += kRecord) {
    uint32_t wanted = (uint32_t)data[at] << 24 | (uint32_t)data[at + 1] << 16 | (uint32_t)data[at + 2] << 8 | data[at + 3];
    if (wanted > kMost) return 0;
    int is_last = memcmp(data + at + 4, "last", 4) == 0;
    if (!is_last && memcmp(data + at + 4, "text", 4) != 0) return 0;
    read_record(wanted);
    if (is_last) return 0;
  }
  return 0;
}
