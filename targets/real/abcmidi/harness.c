// Reads the input as music in abc notation, as abc2midi does; what it reads is dropped.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdio.h>

#include "kept.h"

void reset_parser(void), parsefile(const char *name), parseron(void), parseroff(void);

static jmp_buf end;
static const uint8_t *input;
static size_t input_size;
static FILE *opened;

// The one file there is; no file is included.
FILE *own_fopen(const char *name, const char *mode) {
  if (opened != NULL || strcmp(name, "a.abc") != 0) return NULL;
  return opened = fmemopen((void *)input, input_size, mode);
}

void not_exit(int code) { (void)code, longjmp(end, 1); }
int not_printf(const char *format, ...) { return (void)format, 0; }

// A program that uses the parser has these, and says here when a tune begins and ends.
int fileprogram;  // 0 is abc2midi
void event_refno(int number) { (void)number, parseron(); }
void event_blankline(void) { parseroff(); }

#define NOTHING(name) \
  void name(void) {}
NOTHING(appendfield) NOTHING(event_abbreviation) NOTHING(event_acciaccatura) NOTHING(event_bar)
NOTHING(event_broken) NOTHING(event_chord) NOTHING(event_chordoff) NOTHING(event_chordon)
NOTHING(event_closeinline) NOTHING(event_comment) NOTHING(event_default_length) NOTHING(event_endmusicline)
NOTHING(event_eof) NOTHING(event_error) NOTHING(event_field) NOTHING(event_gchord) NOTHING(event_graceoff)
NOTHING(event_graceon) NOTHING(event_info) NOTHING(event_instruction) NOTHING(event_key) NOTHING(event_length)
NOTHING(event_linebreak) NOTHING(event_lineend) NOTHING(event_microtone) NOTHING(event_mrest)
NOTHING(event_normal_tone) NOTHING(event_note) NOTHING(event_part) NOTHING(event_playonrep)
NOTHING(event_reserved) NOTHING(event_rest) NOTHING(event_score_linebreak) NOTHING(event_slur)
NOTHING(event_sluroff) NOTHING(event_sluron) NOTHING(event_space) NOTHING(event_spacing)
NOTHING(event_specific) NOTHING(event_split_voice) NOTHING(event_start_extended_overlay)
NOTHING(event_startinline) NOTHING(event_startmusicline) NOTHING(event_stop_extended_overlay)
NOTHING(event_temperament) NOTHING(event_tempo) NOTHING(event_tex) NOTHING(event_text) NOTHING(event_tie)
NOTHING(event_timesig) NOTHING(event_tuple) NOTHING(event_voice) NOTHING(event_warning) NOTHING(event_words)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  input = data;
  input_size = size;
  opened = NULL;
  reset_parser();
  if (setjmp(end) == 0) {
    parsefile("a.abc");
  } else if (opened != NULL) {
    fclose(opened);
  }
  kept_free_all();
  return 0;
}
