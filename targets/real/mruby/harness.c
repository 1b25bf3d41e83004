// Parses the input as a program of mruby, which is neither compiled nor run.
#define MRB_NO_PRESYM
#include <mruby.h>
#include <mruby/compile.h>
#include <stddef.h>
#include <stdint.h>

// The part of the library that is written in Ruby; nothing here runs any, as in mruby's own compiler.
void mrb_init_mrblib(mrb_state *mrb) { (void)mrb; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mrb_state *mrb = mrb_open_core(mrb_default_allocf, NULL);
  if (mrb == NULL) return 0;
  mrbc_context *context = mrbc_context_new(mrb);
  context->capture_errors = TRUE;  // else they are printed
  struct mrb_parser_state *parser = mrb_parse_nstring(mrb, (const char *)data, size, context);
  if (parser != NULL) mrb_parser_free(parser);
  mrbc_context_free(mrb, context);
  mrb_close(mrb);
  return 0;
}
