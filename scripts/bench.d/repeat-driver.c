// Runs a harness on one file a number of times, for counting instructions. Linked in place of a fuzzing engine; does
// what the engine does to switch events on, and resets what they touched after every run, outside of what is counted.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waypoint_abi.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_TOUCHED = 1 << 20, MAX_OBJECTS = 16 };
static struct waypoint_run run;
static struct waypoint_side *sides[MAX_OBJECTS];
static int n_sides;

void __waypoint_register(const struct waypoint_object *object) {
  if (n_sides < MAX_OBJECTS) sides[n_sides++] = object->side;
}

static void reserve(struct waypoint_touched *list) {
  list->slots = malloc(MAX_TOUCHED * sizeof *list->slots);
  list->capacity = list->slots ? MAX_TOUCHED : 0;
}

static void switch_on(const char *events) {
  run.malloc_limit = UINT64_C(1) << 40;
  reserve(&run.cmps);
  reserve(&run.switches);
  reserve(&run.allocs);
  for (int i = 0; i < n_sides; i++) {
    sides[i]->run = &run;
    sides[i]->cmp_on = strstr(events, "cmp") != NULL;
    sides[i]->alloc_on = strstr(events, "alloc") != NULL;
    sides[i]->quick_size = sides[i]->alloc_on ? run.malloc_limit : 0;
  }
}

static void reset(struct waypoint_touched *list, size_t size) {
  for (uint32_t i = 0; i < list->n && i < list->capacity; i++) memset(list->slots[i], 0, size);
  list->n = 0;
}

int main(int argc, char **argv) {
  static uint8_t data[1 << 22];
  FILE *file = argc == 4 ? fopen(argv[1], "rb") : NULL;
  if (file == NULL) {
    fprintf(stderr, "usage: %s FILE TIMES EVENTS\n", argv[0]);
    return 1;
  }
  size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  switch_on(argv[3]);
  for (int i = atoi(argv[2]); i > 0; i--) {
    run.number++;
    run.live = run.peak = run.n_blocks = 0;
    LLVMFuzzerTestOneInput(data, size);
    reset(&run.cmps, sizeof(struct waypoint_cmp));
    reset(&run.switches, sizeof(struct waypoint_switch));
    reset(&run.allocs, sizeof(uint64_t));
  }
  return 0;
}
