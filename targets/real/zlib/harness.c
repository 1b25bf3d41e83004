// Inflates the input as zlib or gzip data, or as a raw deflate stream when it has neither header.
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

enum { kZlibOrGzip = 15 + 32, kRaw = -15, kOutputLimit = 1 << 20 };

// Returns whether the first step of the stream was accepted.
static int inflate_all(const uint8_t *data, size_t size, int window_bits) {
  static uint8_t output[1 << 14];
  z_stream stream = {0};
  stream.next_in = (Bytef *)data;
  stream.avail_in = (uInt)size;
  if (inflateInit2(&stream, window_bits) != Z_OK) return 0;
  int status;
  do {
    stream.next_out = output;
    stream.avail_out = sizeof output;
    status = inflate(&stream, Z_NO_FLUSH);
  } while (status == Z_OK && stream.avail_out == 0 && stream.total_out < kOutputLimit);
  int accepted = status != Z_DATA_ERROR || stream.total_out > 0 || stream.total_in > 2;
  inflateEnd(&stream);
  return accepted;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  if (!inflate_all(data, size, kZlibOrGzip)) inflate_all(data, size, kRaw);
  return 0;
}
