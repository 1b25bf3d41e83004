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
static size_t n_counters[MAX_OBJECTS];
static uint64_t *stacks[MAX_OBJECTS], *stacks_stop[MAX_OBJECTS];
static int n_sides, stack_on;

void __waypoint_register(const struct waypoint_object *object) {
  if (n_sides == MAX_OBJECTS) return;
  object->side->counters = object->counters_start;
  n_counters[n_sides] = (size_t)(object->counters_stop - object->counters_start);
  stacks[n_sides] = object->stacks_start;
  stacks_stop[n_sides] = object->stacks_stop;
  sides[n_sides++] = object->side;
}

/* For the event `diff`, every line is a changed one. */
static const uint8_t *all_changed(size_t counters) {
  uint8_t *marks = malloc(counters);
  if (marks) memset(marks, 1, counters);
  return marks;
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
  reserve(&run.transitions.touched);
  stack_on = strstr(events, "stack") != NULL;
  for (int i = 0; i < n_sides; i++) {
    sides[i]->run = &run;
    sides[i]->cmp_on = strstr(events, "cmp") != NULL;
    sides[i]->diff_on = strstr(events, "diff") != NULL;
    sides[i]->changed = sides[i]->diff_on ? all_changed(n_counters[i]) : NULL;
    sides[i]->blocks_on = strstr(events, "leak") != NULL;
    sides[i]->alloc_on = sides[i]->blocks_on || strstr(events, "alloc") != NULL;
    sides[i]->quick_size = sides[i]->alloc_on && !sides[i]->blocks_on ? run.malloc_limit : 0;
    sides[i]->out_on = strstr(events, "out") != NULL;
    sides[i]->stack_size = UINT64_MAX;
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
    for (int k = 0; stack_on && k < n_sides; k++)
      for (uint64_t *slot = stacks[k]; slot < stacks_stop[k]; slot++) *slot = UINT64_MAX;
    LLVMFuzzerTestOneInput(data, size);
    reset(&run.cmps, sizeof(struct waypoint_cmp));
    reset(&run.switches, sizeof(struct waypoint_switch));
    reset(&run.allocs, sizeof(struct waypoint_alloc));
    if (strstr(argv[3], "count")) fprintf(stderr, "%u transitions\n", run.transitions.touched.n);
    reset(&run.transitions.touched, sizeof(uint32_t));
    run.transitions.from = run.transitions.reached = 0;
  }
  return 0;
}
