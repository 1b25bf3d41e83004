// Compiles the input as a program of the original awk, which is not run; regular expressions are only read over.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "awk.h"
#include "awkgram.tab.h"
#include "kept.h"

extern int bracecnt, brackcnt, parencnt, inloop, yychar, yynerrs;
extern bool infunc, sc, reg;
extern char *ep, ebuf[300], *yysptr, yysbuf[], *curfname;
extern Node *beginloc, *endloc, *arglist;
int yyparse(void);

static jmp_buf end;

// What its main would bring.
enum compile_states compile_time;
char *lexprog, *cmdname = "awk";
bool safe;
int dbg;
Awkfloat srand_seed;
char *cursource(void) { return NULL; }
int pgetc(void) { return EOF; }

// What its executer would bring.
Node *winner, *curnode;
Cell *(*proctab[1])(Node **, int);
int adjbuf(char **buffer, int *size, int want, int quantum, char **place, const char *what) {
  (void)what;
  if (want <= *size) return 1;
  const int rest = quantum != 0 ? want % quantum : 0;
  const ptrdiff_t offset = place != NULL ? *place - *buffer : 0;
  if (rest != 0) want += quantum - rest;
  char *other = kept_realloc(*buffer, (size_t)want);
  if (other == NULL) longjmp(end, 1);
  *buffer = other;
  *size = want;
  if (place != NULL) *place = other + offset;
  return 1;
}

// What its library of regular expressions would bring.
fa *makedfa(const char *expression, bool anchored) { return (void)expression, (void)anchored, NULL; }
int nematch(fa *automaton, const char *text) { return (void)automaton, (void)text, 0; }
bool fnematch(fa *automaton, FILE *file, char **buffer, int *size, int quantum) {
  return (void)automaton, (void)file, (void)buffer, (void)size, (void)quantum, false;
}
const char *patbeg;
int patlen;

const char *tokname(int token) { return (void)token, ""; }
void not_exit(int code) { (void)code, longjmp(end, 1); }
int not_fprintf(FILE *file, const char *format, ...) { return (void)file, (void)format, 0; }
int not_vfprintf(FILE *file, const char *format, va_list arguments) { return (void)file, (void)format, (void)arguments, 0; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  lineno = 1;
  bracecnt = brackcnt = parencnt = inloop = errorflag = 0;
  infunc = sc = reg = false;
  memset(ebuf, 0, sizeof ebuf);
  ep = ebuf;
  yysptr = yysbuf;
  curfname = NULL;
  beginloc = endloc = arglist = winner = curnode = NULL;
  memset(&yylval, 0, sizeof yylval);
  compile_time = COMPILING;
  lexprog = text;
  if (setjmp(end) == 0) {
    symtab = makesymtab(50);
    syminit();
    yyparse();
  }
  free(text);
  kept_free_all();
  return 0;
}
