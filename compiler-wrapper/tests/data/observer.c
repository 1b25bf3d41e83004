/* Stands in for the engine: prints what instrumented objects register, and at exit the counters. */
#include <stdio.h>
#include <stdlib.h>

#include "waypoint_abi.h"

#define AT(Type, field) ((Type *)((const char *)(field) + *(field)))
#define MAX_OBJECTS 16

static struct waypoint_object objects[MAX_OBJECTS];
static int n_objects;

static void print_counters(void) {
  for (int i = 0; i < n_objects; i++) {
    const struct waypoint_object *object = &objects[i];
    for (const uint32_t *counter = object->counters_start; counter < object->counters_stop; counter++)
      printf("counter %d %td %u\n", i, counter - object->counters_start, *counter);
    for (const struct waypoint_function *f = object->functions_start; f < object->functions_stop; f++)
      for (uint32_t k = 0; k < f->n_counters; k++)
        printf("hits %s %u %u\n", AT(const char, &f->name), k, AT(const uint32_t, &f->counters)[k]);
  }
}

void __waypoint_register(const struct waypoint_object *object) {
  if (n_objects == 0) atexit(print_counters);
  if (n_objects == MAX_OBJECTS) abort();
  objects[n_objects++] = *object;
  printf("object %u %td %td\n", object->version, object->counters_stop - object->counters_start,
         object->functions_stop - object->functions_start);
  for (const struct waypoint_function *f = object->functions_start; f < object->functions_stop; f++) {
    const char *name = AT(const char, &f->name);
    printf("function %s %u %u %td\n", name, f->n_counters, f->events,
           AT(const uint32_t, &f->counters) - object->counters_start);
    const struct waypoint_line *lines = AT(const struct waypoint_line, &f->lines);
    for (uint32_t k = 0; k < f->n_lines; k++)
      printf("line %s %u %u %s\n", name, lines[k].counter, lines[k].line, AT(const char, &lines[k].file));
  }
}
