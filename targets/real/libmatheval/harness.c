// Reads the input as an expression of libmatheval and computes it where it is one.
#include <matheval.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// What flex's own library would bring.
int yywrap(void) { return 1; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  void *evaluator = evaluator_create(text);
  if (evaluator != NULL) {
    evaluator_evaluate_x(evaluator, 0.5);
    evaluator_destroy(evaluator);
  }
  free(text);
  return 0;
}
