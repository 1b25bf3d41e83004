/* Stands in for the engine: switches the events of $EVENTS on in whatever registers, and at exit prints what was
 * recorded. $LIMIT is the malloc limit, $BLOCKS has live blocks followed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waypoint_abi.h"

#define AT(Type, field) ((Type *)((const char *)(field) + *(field)))
enum { MAX_OBJECTS = 16, MAX_TOUCHED = 1 << 16 };

static struct waypoint_object objects[MAX_OBJECTS];
static int n_objects;
static struct waypoint_run run = {.number = 1};
static void *touched[3][MAX_TOUCHED];

static void refused(struct waypoint_alloc *site, uint64_t size, void *caller) {
  (void)site;
  if (!caller) abort();
  printf("refused %lu\n", (unsigned long)size);
}

static const char *file_of(const struct waypoint_site *site) {
  const char *path = site->file ? AT(const char, &site->file) : "/?", *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static int is_touched(const struct waypoint_touched *list, const void *slot) {
  int found = 0;
  for (uint32_t i = 0; i < list->n && i < list->capacity; i++) found += list->slots[i] == slot;
  return found;
}

/* A slot is touched once if it holds something, and never otherwise. */
static void check(int times, int holds, const char *name) {
  if (times != !!holds) printf("WRONG: a slot of %s is touched %d times\n", name, times);
}

static void print_function(const struct waypoint_function *f) {
  const char *name = AT(const char, &f->name);
  for (uint32_t k = 0; k < f->n_cmps; k++) {
    const struct waypoint_cmp *slot = &AT(const struct waypoint_cmp, &f->cmps)[k];
    const struct waypoint_site *site = &AT(const struct waypoint_site, &f->cmp_sites)[k];
    check(is_touched(&run.cmps, slot), slot->best != 0, name);
    printf("cmp %s %s:%u %u %u %u %llx %llx\n", name, file_of(site), site->line, site->kind, site->width, slot->best,
           (unsigned long long)slot->a, (unsigned long long)slot->b);
  }
  for (uint32_t k = 0; k < f->n_allocs; k++) {
    const struct waypoint_alloc *slot = &AT(const struct waypoint_alloc, &f->allocs)[k];
    const struct waypoint_site *site = &AT(const struct waypoint_site, &f->alloc_sites)[k];
    check(is_touched(&run.allocs, slot), slot->bytes != 0, name);
    printf("alloc %s %s:%u %llu\n", name, file_of(site), site->line, (unsigned long long)slot->bytes);
  }
  for (uint32_t k = 0; k < f->n_counters; k++)
    printf("counter %s %u %u\n", name, k, AT(const uint32_t, &f->counters)[k]);
}

static void print_all(void) {
  for (int i = 0; i < n_objects; i++) objects[i].side->cmp_on = objects[i].side->alloc_on = 0;
  for (int i = 0; i < n_objects; i++) {
    long cmps = 0, allocs = 0;
    for (const struct waypoint_function *f = objects[i].functions_start; f < objects[i].functions_stop; f++) {
      cmps += f->n_cmps;
      allocs += f->n_allocs;
      print_function(f);
    }
    /* The slot for calls from elsewhere belongs to no function. */
    if (cmps != objects[i].cmps_stop - objects[i].cmps_start ||
        allocs + 1 != objects[i].allocs_stop - objects[i].allocs_start)
      printf("WRONG: %ld cmps of %td, %ld allocs of %td\n", cmps, objects[i].cmps_stop - objects[i].cmps_start, allocs,
             objects[i].allocs_stop - objects[i].allocs_start);
  }
  printf("live %llu\npeak %llu\n", (unsigned long long)run.live, (unsigned long long)run.peak);
  fflush(stdout);
}

void __waypoint_register(const struct waypoint_object *object) {
  const char *events = getenv("EVENTS"), *limit = getenv("LIMIT");
  if (object->version != WAYPOINT_ABI_VERSION || n_objects == MAX_OBJECTS) abort();
  if (n_objects == 0) {
    atexit(print_all);
    run.cmps = (struct waypoint_touched){touched[0], MAX_TOUCHED, 0};
    run.switches = (struct waypoint_touched){touched[1], MAX_TOUCHED, 0};
    run.allocs = (struct waypoint_touched){touched[2], MAX_TOUCHED, 0};
    run.malloc_limit = limit ? strtoull(limit, NULL, 10) : 0;
    run.refused = refused;
  }
  objects[n_objects++] = *object;
  struct waypoint_side *side = object->side;
  side->run = &run;
  side->cmp_on = events && strstr(events, "cmp");
  side->alloc_on = events && strstr(events, "alloc");
  side->blocks_on = side->alloc_on && getenv("BLOCKS");
  side->quick_size = side->alloc_on && !side->blocks_on ? run.malloc_limit : 0;
}
