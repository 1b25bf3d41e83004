/* The recorders: what an event does inside the target.
 *
 * The pass plugin links this file, as bitcode, into every translation unit and inlines it; without the plugin it is
 * linked as an ordinary object and the same functions are called. It must not call anything that a freestanding
 * program lacks. */
#include <stddef.h>

#include "waypoint_abi.h"

#define RECORDER __attribute__((visibility("hidden"), used))

extern const struct waypoint_function __start_waypoint_fns[] __attribute__((weak, visibility("hidden")));
extern const struct waypoint_function __stop_waypoint_fns[] __attribute__((weak, visibility("hidden")));

/* Event `edge`: the guard is the counter. */
RECORDER void __sanitizer_cov_trace_pc_guard(uint32_t *counter) { ++*counter; }

/* Called once per object by the constructor that SanitizerCoverage makes. */
RECORDER void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  if (!__waypoint_register || start == stop) return;
  struct waypoint_object object = {
      WAYPOINT_ABI_VERSION, 0, start, stop, __start_waypoint_fns, __stop_waypoint_fns,
  };
  __waypoint_register(&object);
}
