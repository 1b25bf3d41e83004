// Reads the input as an archive of any format and through any filter, and the contents of its members.
#include <archive.h>
#include <archive_entry.h>
#include <stddef.h>
#include <stdint.h>

enum { kMembers = 64, kOutputLimit = 1 << 20 };

// As much of a member as the limit allows, which keeps bombs from taking seconds.
static int read_member(struct archive *archive, size_t *left) {
  static uint8_t block[1 << 14];
  la_ssize_t got;
  while (*left > 0 && (got = archive_read_data(archive, block, sizeof block)) > 0) {
    *left -= (size_t)got < *left ? (size_t)got : *left;
  }
  return *left > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct archive *archive = archive_read_new();
  if (archive == NULL) return 0;
  archive_read_support_filter_all(archive);
  archive_read_support_format_all(archive);
  if (archive_read_open_memory(archive, data, size) == ARCHIVE_OK) {
    struct archive_entry *entry;
    size_t left = kOutputLimit;
    for (int member = 0; member < kMembers; member++) {
      int status = archive_read_next_header(archive, &entry);
      if (status == ARCHIVE_RETRY) continue;
      if (status < ARCHIVE_WARN || status == ARCHIVE_EOF) break;
      (void)archive_entry_pathname(entry);
      if (!read_member(archive, &left)) break;
    }
  }
  archive_read_free(archive);
  return 0;
}
