/* Event `edge`, and the registration of an object with the engine.
 *
 * Without the plugin this file is linked as an ordinary object and the same functions are called. */
#include "recorders.h"

/* Code that was not instrumented may call malloc through a pointer before any other has. */
RECORDER __attribute__((section("waypoint_allocs"))) struct waypoint_alloc waypoint_elsewhere;
RECORDER struct waypoint_side waypoint_side = {.caller = &waypoint_elsewhere};

#define SECTION(type, name)                                                                                            \
  extern type __start_##name[] __attribute__((weak, visibility("hidden")));                                            \
  extern type __stop_##name[] __attribute__((weak, visibility("hidden")))

SECTION(const struct waypoint_function, waypoint_fns);
SECTION(struct waypoint_cmp, waypoint_cmps);
SECTION(struct waypoint_alloc, waypoint_allocs);
SECTION(uint64_t, waypoint_stacks);
SECTION(uint32_t, waypoint_steps);
SECTION(const char, waypoint_texts);

/* The guard is the counter. */
RECORDER void __sanitizer_cov_trace_pc_guard(uint32_t *counter) { ++*counter; }

/* Called once per object by the constructor that SanitizerCoverage makes. */
RECORDER void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  if (!__waypoint_register || start == stop) return;
  struct waypoint_object object = {
      WAYPOINT_ABI_VERSION,  0,
      start,                 stop,
      __start_waypoint_fns,  __stop_waypoint_fns,
      __start_waypoint_cmps, __stop_waypoint_cmps,
      __start_waypoint_allocs, __stop_waypoint_allocs,
      &waypoint_side,
      __start_waypoint_stacks, __stop_waypoint_stacks,
      __start_waypoint_steps, __stop_waypoint_steps,
      __start_waypoint_texts, __stop_waypoint_texts,
  };
  __waypoint_register(&object);
}
