/* Stands in for the engine: switches the events of $EVENTS on in whatever registers, and at exit prints what was
 * recorded. $LIMIT is the malloc limit, $BLOCKS has live blocks followed. For transitions, the lines of the function
 * $CHANGED are changed ones, or all lines. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "waypoint_abi.h"

#define AT(Type, field) ((Type *)((const char *)(field) + *(field)))
enum { MAX_OBJECTS = 16, MAX_TOUCHED = 1 << 16 };

static struct waypoint_object objects[MAX_OBJECTS];
static int n_objects;
static struct waypoint_run run = {.number = 1};
static void *touched[4][MAX_TOUCHED];
static uint8_t changed[MAX_OBJECTS][MAX_TOUCHED];

static uint64_t stack_start, stack_size;

static void find_stack(void) {
  pthread_attr_t attributes;
  void *start;
  size_t size;
  if (pthread_getattr_np(pthread_self(), &attributes) || pthread_attr_getstack(&attributes, &start, &size)) abort();
  stack_start = (uint64_t)start;
  stack_size = size;
}

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

/* Whatever is counted was arrived at, if all lines are changed ones. */
static void print_transitions(const struct waypoint_function *f) {
  const char *name = AT(const char, &f->name);
  const struct waypoint_touched *all_touched = &run.transitions.touched;
  uint32_t from_here = run.transitions.from;
  struct waypoint_touched after = {all_touched->slots + from_here, MAX_TOUCHED, all_touched->n - from_here};
  const struct waypoint_arrivals *into = AT(const struct waypoint_arrivals, &f->arrivals);
  for (uint32_t k = 0; k < f->n_counters; k++) {
    uint32_t end = k + 1 < f->n_counters ? into[k + 1].first : f->n_steps, all = 0;
    for (uint32_t slot = into[k].first; slot < end; slot++) {
      uint32_t *times = &AT(uint32_t, &f->steps)[slot];
      long from = into[k].lowest == WAYPOINT_ANYWHERE ? -2 : (long)into[k].lowest + (slot - into[k].first) - 1;
      check(is_touched(&after, times), *times != 0, name);
      all -= *times;
      if (*times) printf("step %s %ld %u %u\n", name, from, k, -*times);
    }
    if (!getenv("CHANGED") && all != AT(const uint32_t, &f->counters)[k])
      printf("WRONG: %u arrivals at counter %u of %s\n", all, k, name);
  }
}

static void print_function(const struct waypoint_function *f) {
  const char *name = AT(const char, &f->name);
  if (run.transitions.touched.n) print_transitions(f);
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
    if (slot->live) printf("left %s %llu\n", name, (unsigned long long)slot->live);
  }
  if (f->stack) {
    uint64_t lowest = *AT(const uint64_t, &f->stack), highest = stack_start + stack_size;
    if (lowest != UINT64_MAX) printf("stack %s %llu\n", name, (unsigned long long)(lowest ? highest - lowest : 0));
  }
  for (uint32_t k = 0; k < f->n_counters; k++)
    printf("counter %s %u %u\n", name, k, AT(const uint32_t, &f->counters)[k]);
}

static void print_all(void) {
  for (int i = 0; i < n_objects; i++)
    objects[i].side->cmp_on = objects[i].side->alloc_on = objects[i].side->out_on = objects[i].side->diff_on = 0;
  for (int i = 0; i < n_objects; i++) {
    long cmps = 0, allocs = 0, stacks = 0;
    for (const struct waypoint_function *f = objects[i].functions_start; f < objects[i].functions_stop; f++) {
      cmps += f->n_cmps;
      allocs += f->n_allocs;
      stacks += f->stack != 0;
      print_function(f);
    }
    /* The slot for calls from elsewhere belongs to no function. */
    if (cmps != objects[i].cmps_stop - objects[i].cmps_start ||
        allocs + 1 != objects[i].allocs_stop - objects[i].allocs_start)
      printf("WRONG: %ld cmps of %td, %ld allocs of %td\n", cmps, objects[i].cmps_stop - objects[i].cmps_start, allocs,
             objects[i].allocs_stop - objects[i].allocs_start);
    if (stacks != objects[i].stacks_stop - objects[i].stacks_start)
      printf("WRONG: %ld stacks of %td\n", stacks, objects[i].stacks_stop - objects[i].stacks_start);
  }
  for (int i = 0; i < WAYPOINT_OUTS; i++)
    if (run.outs[i]) printf("out %d %llu\n", i, (unsigned long long)run.outs[i]);
  printf("live %llu\npeak %llu\n", (unsigned long long)run.live, (unsigned long long)run.peak);
  fflush(stdout);
}

static const uint8_t *mark_changed(const struct waypoint_object *object, uint8_t *marks) {
  const char *wanted = getenv("CHANGED");
  if (object->counters_stop - object->counters_start > MAX_TOUCHED) abort();
  for (const struct waypoint_function *f = object->functions_start; f < object->functions_stop; f++)
    if (!wanted || !strcmp(wanted, AT(const char, &f->name)))
      memset(marks + (AT(const uint32_t, &f->counters) - object->counters_start), 1, f->n_counters);
  return marks;
}

void __waypoint_register(const struct waypoint_object *object) {
  const char *events = getenv("EVENTS"), *limit = getenv("LIMIT");
  if (object->version != WAYPOINT_ABI_VERSION || n_objects == MAX_OBJECTS) abort();
  if (n_objects == 0) {
    atexit(print_all);
    run.cmps = (struct waypoint_touched){touched[0], MAX_TOUCHED, 0};
    run.switches = (struct waypoint_touched){touched[1], MAX_TOUCHED, 0};
    run.allocs = (struct waypoint_touched){touched[2], MAX_TOUCHED, 0};
    run.transitions.touched = (struct waypoint_touched){touched[3], MAX_TOUCHED, 0};
    run.malloc_limit = limit ? strtoull(limit, NULL, 10) : 0;
    run.refused = refused;
    find_stack();
  }
  objects[n_objects++] = *object;
  struct waypoint_side *side = object->side;
  side->run = &run;
  side->cmp_on = events && strstr(events, "cmp");
  side->alloc_on = events && strstr(events, "alloc");
  side->out_on = events && strstr(events, "out");
  if (events && strstr(events, "stack")) {
    side->stack_start = stack_start;
    side->stack_size = stack_size;
    for (uint64_t *slot = object->stacks_start; slot < object->stacks_stop; slot++) *slot = UINT64_MAX;
  }
  side->diff_on = events && strstr(events, "diff");
  side->counters = object->counters_start;
  side->changed = mark_changed(object, changed[n_objects - 1]);
  side->blocks_on = side->alloc_on && getenv("BLOCKS");
  side->quick_size = side->alloc_on && !side->blocks_on ? run.malloc_limit : 0;
}
