// Decodes the input as a JPEG image from memory, its first lines as RGB.
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

enum { kPixelLimit = 1 << 24, kLineLimit = 64, kScanLimit = 16 };

struct handler {
  struct jpeg_error_mgr base;
  jmp_buf back;
};

static void on_error(j_common_ptr info) { longjmp(((struct handler *)info->err)->back, 1); }

static void on_message(j_common_ptr info, int level) {
  (void)info;
  (void)level;
}

// Each scan of a progressive image goes over all of it.
static void on_progress(j_common_ptr info) {
  if (((j_decompress_ptr)info)->input_scan_number > kScanLimit) on_error(info);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct jpeg_decompress_struct info;
  struct handler handler;
  struct jpeg_progress_mgr progress = {.progress_monitor = on_progress};
  info.err = jpeg_std_error(&handler.base);
  handler.base.error_exit = on_error;
  handler.base.emit_message = on_message;
  jpeg_create_decompress(&info);
  if (setjmp(handler.back) == 0 && size > 0) {
    info.progress = &progress;
    jpeg_mem_src(&info, data, size);
    if (jpeg_read_header(&info, TRUE) == JPEG_HEADER_OK &&
        (uint64_t)info.image_width * info.image_height <= kPixelLimit) {
      jpeg_start_decompress(&info);
      JSAMPARRAY line = info.mem->alloc_sarray((j_common_ptr)&info, JPOOL_IMAGE,
                                               info.output_width * (JDIMENSION)info.output_components, 1);
      while (info.output_scanline < info.output_height && info.output_scanline < kLineLimit) {
        jpeg_read_scanlines(&info, line, 1);
      }
    }
  }
  jpeg_destroy_decompress(&info);
  return 0;
}
