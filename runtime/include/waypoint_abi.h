/* What instrumented code and the engine tell each other; the plugin writes these records, the runtime reads them.
 *
 * Every instrumented function has an array of `u32` counters in the section `__sancov_guards` (placed by clang's
 * SanitizerCoverage) and one `waypoint_function` in the section `waypoint_fns`. Comparisons and allocations have a slot
 * each, in an array per function in the sections `waypoint_cmps` and `waypoint_allocs`. Offsets are relative to the
 * address of the field that holds them, so that the records need no relocation when an object is loaded.
 * `runtime/src/abi.rs` mirrors this file. */
#ifndef WAYPOINT_ABI_H
#define WAYPOINT_ABI_H

#include <stdint.h>

#define WAYPOINT_ABI_VERSION 2

/* One source line that a counter stands for. A counter has as many as its block, the blocks pruned in its favour and
 * the code inlined there have lines. */
struct waypoint_line {
  uint32_t counter; /* index within the function */
  uint32_t line;
  int32_t file; /* offset to the NUL-terminated path, as the compiler was given it (joined with its directory) */
};

/* What a slot stands for; one for every slot of a function, in their order. */
struct waypoint_site {
  uint32_t kind;   /* of a comparison: enum waypoint_comparison; of an allocation: 0 */
  uint32_t width;  /* of an integer comparison, in bits */
  uint32_t line;   /* 0 when unknown */
  int32_t file;    /* as in waypoint_line; 0 when unknown */
};

enum waypoint_comparison {
  WAYPOINT_EQUALITY,
  WAYPOINT_ORDER,
  WAYPOINT_CASE,
  WAYPOINT_FLOAT,
  WAYPOINT_TEXT,
};

/* How close a comparison came in this run: the best score, and the operands seen with it. The score 0 is "not at all".
 * Of integers it is 64 minus the number of bits that differ, of ordered values 64 minus the bits of their distance, of
 * texts one more than the bits up to the first that differs. WAYPOINT_EQUAL is the score of equality and of nothing
 * else. */
struct waypoint_cmp {
  uint32_t best;
  uint32_t reserved;
  uint64_t a, b; /* of texts, their first eight bytes */
};
#define WAYPOINT_EQUAL UINT32_MAX

/* The values that a switch has met in this run, so that each is compared with the cases only once. */
#define WAYPOINT_SWITCH_SEEN 64
struct waypoint_switch {
  uint64_t touched;
  uint64_t seen[WAYPOINT_SWITCH_SEEN];
};

/* What a call site has allocated in this run. */
struct waypoint_alloc {
  uint64_t bytes; /* 0: not touched yet */
};

/* One instrumented function. Counter 0 counts entries: while it is 0 the others are 0 too. */
struct waypoint_function {
  int32_t counters; /* offset to its first counter */
  uint32_t n_counters;
  int32_t lines; /* offset to its first waypoint_line */
  uint32_t n_lines;
  int32_t name;    /* offset to the NUL-terminated linkage name */
  uint32_t events; /* bit set of the events recorded in it, see domains/src/event.rs */
  int32_t cmps;    /* offset to its first waypoint_cmp */
  uint32_t n_cmps;
  int32_t cmp_sites; /* offset to its first waypoint_site */
  int32_t allocs;    /* offset to its first waypoint_alloc */
  uint32_t n_allocs;
  int32_t alloc_sites;
};

/* Slots touched since the last reset, each once. `n` may exceed `capacity`: then the list is not complete. */
struct waypoint_touched {
  void **slots;
  uint32_t capacity;
  uint32_t n;
};

/* A live block of memory that the target allocated in this run. */
struct waypoint_block {
  uint64_t address, size;
  struct waypoint_alloc *site;
  uint64_t run; /* of another run: the entry is free */
};

#define WAYPOINT_BLOCKS (1u << 15) /* a power of two */

/* What one run wrote, apart from counters and slots. The engine owns it. */
struct waypoint_run {
  struct waypoint_touched cmps, switches, allocs;
  uint64_t number;       /* of the run: blocks with another number are free */
  uint64_t malloc_limit; /* a larger allocation is refused; 0: none is */
  uint64_t live, peak;   /* bytes */
  uint64_t n_blocks;
  /* Tells of a refused allocation, and where the target goes on after it. */
  void (*refused)(struct waypoint_alloc *site, uint64_t size, void *caller);
  struct waypoint_block blocks[WAYPOINT_BLOCKS];
};

/* What the engine sets in every object: which events are recorded, and where. Nothing is without an engine. */
struct waypoint_side {
  uint8_t cmp_on, alloc_on;
  uint8_t blocks_on; /* live blocks are followed, too: needed for the peak, and dear */
  uint8_t reserved[5];
  /* Up to this size an allocation needs nothing but to be counted; 0 while `alloc` is off or blocks are followed. */
  uint64_t quick_size;
  struct waypoint_run *run;
  struct waypoint_alloc *caller; /* the site of the last call through a pointer that may be one to malloc */
};

/* One program or shared object. */
struct waypoint_object {
  uint32_t version; /* WAYPOINT_ABI_VERSION */
  uint32_t reserved;
  uint32_t *counters_start, *counters_stop;
  const struct waypoint_function *functions_start, *functions_stop; /* empty when compiled without the plugin */
  struct waypoint_cmp *cmps_start, *cmps_stop;
  struct waypoint_alloc *allocs_start, *allocs_stop;
  struct waypoint_side *side;
};

/* Called by a constructor of every instrumented object. Weak there: without an engine in the process it is null, so
 * instrumented helpers and libraries run anywhere. */
extern void __waypoint_register(const struct waypoint_object *object) __attribute__((weak));

#endif
