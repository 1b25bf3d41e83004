// Compiles the input as a program of GNU bc, which is not run.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "kept.h"

extern int line_no, line_size, genlen;
extern char is_std_in, *genstr;
void init_storage(void), init_load(void), init_tree(void), init_gen(void), reset_util(void), reset_number(void);
int yyparse(void), yylex_destroy(void);
extern FILE *yyin;

static jmp_buf end;
static const uint8_t *rest;
static size_t left;

// What the scanner reads with.
long own_read(int file, void *buffer, size_t most) {
  (void)file;
  const size_t size = most < left ? most : left;
  memcpy(buffer, rest, size);
  rest += size;
  left -= size;
  return (long)size;
}
int own_isatty(int file) { return (void)file, 0; }

// What its main and its executer would bring.
int open_new_file(void) { return 0; }
void execute(void) {}
void show_bc_version(void) {}
void welcome(void) {}
void warranty(const char *prefix) { (void)prefix; }
unsigned char byte(void *counter) { return (void)counter, 0; }
void not_exit(int code) { (void)code, longjmp(end, 1); }
int not_printf(const char *format, ...) { return (void)format, 0; }
int not_fprintf(FILE *file, const char *format, ...) { return (void)file, (void)format, 0; }
int not_vfprintf(FILE *file, const char *format, va_list arguments) { return (void)file, (void)format, (void)arguments, 0; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  genstr = NULL;
  genlen = 0;
  reset_util();
  reset_number();
  init_storage();
  init_load();
  init_tree();
  init_gen();
  is_std_in = 1;
  line_no = 1;
  line_size = 70;
  yyin = stdin;  // which is not read
  rest = data;
  left = size;
  if (setjmp(end) == 0) yyparse();
  yylex_destroy();
  kept_free_all();
  return 0;
}
