// PUZZLE: find crash in treasure; run -i PUZZLES/structured_chunks.seeds --grammar PUZZLES/structured_chunks.fan --runs 100000; not -i PUZZLES/structured_chunks.seeds --runs 1000000
// Chunks with a length and a CRC-32. The sum runs over the stored CRC too and must come to the constant that every right
// one comes to, so that no comparison shows what should have been stored. The first four chunks have to be of four kinds.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

enum { kKinds = 4 };

static __attribute__((noinline)) void treasure(void) { abort(); }

static uint32_t crc(const uint8_t *data, size_t size) {
  uint32_t sum = 0xffffffff;
  for (size_t i = 0; i < size; i++) {
    sum ^= data[i];
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (0xedb88320 & -(sum & 1));
  }
  return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t kOrder[kKinds][4] = {"HEAD", "DATA", "MORE", "TAIL"};
  int seen = 0;
  while (size >= 10) {
    size_t length = (size_t)data[0] << 8 | data[1];
    // Two bytes of length, four of kind, the content, four of CRC.
    if (length > size - 10 || crc(data, 10 + length) != 0xdebb20e3) return 0;
    if (seen < kKinds && memcmp(data + 2, kOrder[seen], 4) == 0) {
      if (++seen == kKinds) treasure();
    }
    data += 10 + length;
    size -= 10 + length;
  }
  return 0;
}
