/* Stands in for the engine's archive: a main that runs the harness once, and what instrumented objects look for. */
#include <stdint.h>
#include <stdio.h>

#include "waypoint_abi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

void __waypoint_register(const struct waypoint_object *object) {
  printf("registered %td\n", object->functions_stop - object->functions_start);
}

int main(void) {
  printf("harness said %d\n", LLVMFuzzerTestOneInput((const uint8_t *)"x", 1));
  return 0;
}
