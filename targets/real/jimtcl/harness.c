// Reads the input as an expression of Jim Tcl, and computes it where there is not one command.
#include <jim.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > INT32_MAX) return 0;
  char *text = malloc(size + 1);  // strings are copied with the byte behind them
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  Jim_Interp *interp = Jim_CreateInterp();
  Jim_Obj *expression = Jim_NewStringObj(interp, text, (int)size);
  Jim_IncrRefCount(expression);
  Jim_EvalExpression(interp, expression);
  Jim_DecrRefCount(interp, expression);
  Jim_FreeInterp(interp);
  free(text);
  return 0;
}
