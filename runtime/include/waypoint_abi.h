/* What instrumented code and the engine tell each other; the plugin writes these records, the runtime reads them.
 *
 * Every instrumented function has an array of `u32` counters in the section `__sancov_guards` (placed by clang's
 * SanitizerCoverage) and one `waypoint_function` in the section `waypoint_fns`. Offsets are relative to the address
 * of the field that holds them, so that the records need no relocation when an object is loaded.
 * `runtime/src/abi.rs` mirrors this file. */
#ifndef WAYPOINT_ABI_H
#define WAYPOINT_ABI_H

#include <stdint.h>

#define WAYPOINT_ABI_VERSION 1

/* One source line that a counter stands for. A counter has as many as its block, the blocks pruned in its favour and
 * the code inlined there have lines. */
struct waypoint_line {
  uint32_t counter; /* index within the function */
  uint32_t line;
  int32_t file; /* offset to the NUL-terminated path, as the compiler was given it (joined with its directory) */
};

/* One instrumented function. Counter 0 counts entries: while it is 0 the others are 0 too. */
struct waypoint_function {
  int32_t counters; /* offset to its first counter */
  uint32_t n_counters;
  int32_t lines; /* offset to its first waypoint_line */
  uint32_t n_lines;
  int32_t name;    /* offset to the NUL-terminated linkage name */
  uint32_t events; /* bit set of the events recorded in it, see domains/src/event.rs */
};

/* One program or shared object. */
struct waypoint_object {
  uint32_t version; /* WAYPOINT_ABI_VERSION */
  uint32_t reserved;
  uint32_t *counters_start, *counters_stop;
  const struct waypoint_function *functions_start, *functions_stop; /* empty when compiled without the plugin */
};

/* Called by a constructor of every instrumented object. Weak there: without an engine in the process it is null, so
 * instrumented helpers and libraries run anywhere. */
extern void __waypoint_register(const struct waypoint_object *object) __attribute__((weak));

#endif
