// Reads the input as a PNG image from memory, row by row, expanded to 8-bit RGBA.
#include <png.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kPixelLimit = 1 << 20, kAllocationLimit = 1 << 23 };

struct reader {
  const uint8_t *data;
  size_t left;
};

static void read_bytes(png_structp png, png_bytep out, size_t count) {
  struct reader *reader = png_get_io_ptr(png);
  if (count > reader->left) png_error(png, "end of input");
  memcpy(out, reader->data, count);
  reader->data += count;
  reader->left -= count;
}

// A chunk may claim any length up to 2 GiB, and libpng clears a buffer of that size before it sees how short the input
// is. What is too large is asked for all the same, so that it can be seen, but given back before anything is written.
static png_voidp allocate(png_structp png, png_alloc_size_t size) {
  (void)png;
  void *volatile block = malloc(size);
  if (size <= kAllocationLimit) return block;
  free(block);
  return NULL;
}

static void release(png_structp png, png_voidp memory) {
  (void)png;
  free(memory);
}

static void on_error(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct reader reader = {data, size};
  png_bytep volatile row = NULL;
  png_infop info = NULL;
  png_structp png =
      png_create_read_struct_2(PNG_LIBPNG_VER_STRING, NULL, on_error, on_warning, NULL, allocate, release);
  if (png == NULL) return 0;
  info = png_create_info_struct(png);
  if (info == NULL || setjmp(png_jmpbuf(png)) != 0) goto done;

  // Mutated chunks have wrong checksums: accept them, so that the code behind the check is reached.
  png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  png_set_chunk_malloc_max(png, 0);  // no limit
  png_set_read_fn(png, &reader, read_bytes);
  png_read_info(png, info);
  if ((uint64_t)png_get_image_width(png, info) * png_get_image_height(png, info) > kPixelLimit) goto done;
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  row = malloc(png_get_rowbytes(png, info));
  if (row == NULL) goto done;
  memset(row, 0, png_get_rowbytes(png, info));
  for (int pass = 0; pass < passes; pass++) {
    for (png_uint_32 y = 0; y < png_get_image_height(png, info); y++) png_read_row(png, row, NULL);
  }
  png_read_end(png, info);

done:
  free(row);
  png_destroy_read_struct(&png, &info, NULL);
  return 0;
}
