// Decodes the input as an Ogg Vorbis file from memory.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <vorbis/vorbisfile.h>

enum { kOutputLimit = 1 << 18 };

struct reader {
  const uint8_t *data;
  size_t size, at;
};

static size_t read_bytes(void *out, size_t size, size_t count, void *source) {
  struct reader *reader = source;
  size_t left = reader->size - reader->at, wanted = size * count;
  if (wanted > left) wanted = left;
  memcpy(out, reader->data + reader->at, wanted);
  reader->at += wanted;
  return wanted;
}

static int seek_to(void *source, ogg_int64_t offset, int whence) {
  struct reader *reader = source;
  ogg_int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (ogg_int64_t)reader->at : (ogg_int64_t)reader->size;
  if (offset < -from || offset > (ogg_int64_t)reader->size - from) return -1;
  reader->at = (size_t)(from + offset);
  return 0;
}

static long tell(void *source) { return (long)((struct reader *)source)->at; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct reader reader = {data, size, 0};
  const ov_callbacks callbacks = {.read_func = read_bytes, .seek_func = seek_to, .tell_func = tell};
  OggVorbis_File file;
  if (ov_open_callbacks(&reader, &file, NULL, 0, callbacks) != 0) return 0;
  static char output[1 << 12];
  int section = 0;
  for (long left = kOutputLimit, got; left > 0; left -= got) {
    got = ov_read(&file, output, sizeof output, 0, 2, 1, &section);
    if (got <= 0 && got != OV_HOLE) break;
    if (got < 0) got = 1;
  }
  ov_clear(&file);
  return 0;
}
