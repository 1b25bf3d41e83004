// PUZZLE: find crash in parse_record; run --runs 3000000
// A record of a made-up format: magic "WP", a version, a length that is trusted, and a payload. The planted bug: a
// record of version 3 copies as many bytes as the length says into a buffer of 16.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <waypoint.h>

static int parse_record(const uint8_t *payload, size_t available, unsigned version, unsigned length) {
  char name[16];
  if (length > available) return -1;
  if (version < 3) {
    if (length > sizeof name) return -1;
    memcpy(name, payload, length);
    return name[0] == 'x';
  }
  if (length > sizeof name) abort();  // what AddressSanitizer would say of the copy below
  memcpy(name, payload, length);
  return name[0] == 'y';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4) return 0;
  if (data[0] != 'W') return 0;
  if (data[1] != 'P') return 0;
  unsigned version = data[2] - '0';
  if (version > 3) return 0;
  return parse_record(data + 4, size - 4, version, data[3]) * 0;
}
