// Reads the input as a PO file by libgettextpo.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "kept.h"

struct message_ty;
extern void (*po_error)(int status, int errnum, const char *format, ...);
extern void (*po_error_at_line)(int status, int errnum, const char *file, unsigned line, const char *format, ...);
extern void (*po_multiline_warning)(char *prefix, char *text);
extern void (*po_multiline_error)(char *prefix, char *text);
extern void (*po_xerror)(int severity, const struct message_ty *message, const char *file, size_t line, size_t column,
                         int many, const char *text);
extern void (*po_xerror2)(int severity, const struct message_ty *message1, const char *file1, size_t line1, size_t column1,
                          int many1, const char *text1, const struct message_ty *message2, const char *file2, size_t line2,
                          size_t column2, int many2, const char *text2);
extern const struct catalog_input_format input_format_po;
extern unsigned error_message_count;
void *read_catalog_stream(FILE *file, const char *real_name, const char *name, const struct catalog_input_format *format);
void lex_end(void), reset_parser(void);

static jmp_buf end;

// What its errors call: some may not return.
static void stop(int status, int errnum, const char *format, ...) {
  (void)errnum, (void)format;
  if (status != 0) longjmp(end, 1);
}
static void stop_at(int status, int errnum, const char *file, unsigned line, const char *format, ...) {
  (void)errnum, (void)file, (void)line, (void)format;
  if (status != 0) longjmp(end, 1);
}
static void lines(char *prefix, char *text) { kept_free(prefix), kept_free(text); }
static void one(int severity, const struct message_ty *message, const char *file, size_t line, size_t column, int many,
                const char *text) {
  (void)message, (void)file, (void)line, (void)column, (void)many, (void)text;
  if (severity == 1) ++error_message_count;
  if (severity == 2) longjmp(end, 1);
}
static void two(int severity, const struct message_ty *message1, const char *file1, size_t line1, size_t column1, int many1,
                const char *text1, const struct message_ty *message2, const char *file2, size_t line2, size_t column2,
                int many2, const char *text2) {
  (void)message2, (void)file2, (void)line2, (void)column2, (void)many2, (void)text2;
  one(severity, message1, file1, line1, column1, many1, text1);
}

int kept_vasprintf(char **result, const char *format, va_list arguments) {
  char *text;
  const int length = vasprintf(&text, format, arguments);
  if (length < 0) return -1;
  *result = kept_strdup(text);
  free(text);
  return *result == NULL ? -1 : length;
}

// The scanner's buffer, which it keeps.
void *own_xrealloc(void *memory, size_t size) {
  memory = realloc(memory, size);
  if (memory == NULL) abort();
  return memory;
}

// What nothing here calls, or only to print.
bool error_with_progname;
const char *getprogname(void) { return "gettextpo"; }
void multiline_warning(char *prefix, char *text) { (void)prefix, (void)text; }
void multiline_error(char *prefix, char *text) { (void)prefix, (void)text; }
double fstrcmp_bounded(const char *a, const char *b, double bound) { return (void)a, (void)b, bound; }
void *open_catalog_file(const char *name, char **real_name, bool to_exit) {
  return (void)name, (void)real_name, (void)to_exit, NULL;
}

static void read_one(const void *data, size_t size) {
  FILE *file = fmemopen((void *)data, size, "r");
  if (file == NULL) return;
  reset_parser();
  if (setjmp(end) == 0) read_catalog_stream(file, "a.po", "a.po", &input_format_po);
  lex_end();
  fclose(file);
  kept_free_all();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  po_error = stop;
  po_error_at_line = stop_at;
  po_multiline_warning = lines;
  po_multiline_error = lines;
  po_xerror = one;
  po_xerror2 = two;
  // The scanner's buffer grows now, not in the run that has the longest word so far.
  static char longest[1 << 16];
  memset(longest, '#', sizeof longest);
  read_one(longest, sizeof longest);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size != 0) read_one(data, size);
  return 0;
}
