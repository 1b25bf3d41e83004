/* What instrumented code and the engine tell each other; the plugin writes these records, the runtime reads them.
 *
 * Every instrumented function has an array of `u32` counters in the section `__sancov_guards` (placed by clang's
 * SanitizerCoverage) and one `waypoint_function` in the section `waypoint_fns`. Comparisons, allocations and transitions
 * have a slot each, in an array per function in the sections `waypoint_cmps`, `waypoint_allocs` and `waypoint_steps`.
 * Offsets are relative to the address of the field that holds them, so that the records need no relocation when an
 * object is loaded.
 * `runtime/src/abi.rs` mirrors this file. */
#ifndef WAYPOINT_ABI_H
#define WAYPOINT_ABI_H

#include <stdint.h>

#define WAYPOINT_ABI_VERSION 4

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

/* What a std::string is compared with: text that ends with a zero byte, so many bytes, or another std::string. */
enum waypoint_other {
  WAYPOINT_OTHER_TEXT,
  WAYPOINT_OTHER_BYTES,
  WAYPOINT_OTHER_STRING,
};

/* The values that a switch has met in this run, so that each is compared with the cases only once. */
#define WAYPOINT_SWITCH_SEEN 64
struct waypoint_switch {
  uint64_t touched;
  uint64_t seen[WAYPOINT_SWITCH_SEEN];
};

/* What a call site has allocated in this run. */
struct waypoint_alloc {
  uint64_t bytes; /* 0: not touched yet */
  uint64_t live;  /* of these, how many have not been freed, while live blocks are followed */
};

/* Where a function writes to. */
enum waypoint_sink {
  WAYPOINT_DESCRIPTOR,
  WAYPOINT_STREAM,          /* a FILE */
  WAYPOINT_STANDARD_OUTPUT, /* that of <stdio.h> */
  WAYPOINT_OSTREAM,         /* a std::ostream */
};
#define WAYPOINT_OUTS 256 /* descriptors that are told apart; higher ones count as the last */
/* Where the slots of the transitions into a counter are: of those from counter `lowest - 1`, `lowest` and so on, as many
 * as there are slots before the next counter's `first`. 0 as `lowest` stands for the function's entry. */
struct waypoint_arrivals {
  uint32_t first;  /* slot, within the function */
  uint32_t lowest; /* WAYPOINT_ANYWHERE: it has one slot, whatever was before */
};
#define WAYPOINT_ANYWHERE UINT32_MAX

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
  int32_t stack; /* offset to its slot for the stack, a `u64`; 0: it has none */
  int32_t steps; /* offset to its first transition's slot, a u32: minus how often it was taken */
  uint32_t n_steps;
  int32_t arrivals; /* offset to one waypoint_arrivals for every counter; 0 without transitions */
};

/* Slots touched since the last reset, each once. `n` may exceed `capacity`: then the list is not complete. */
struct waypoint_touched {
  void **slots;
  uint32_t capacity;
  uint32_t n;
};

/* A comparison of a run that is traced: all are noted down, not only the closest. Texts come with as many bytes as are
 * sure to be readable; numbers are the first eight bytes of each side, and have the length 0. */
#define WAYPOINT_TRACED_TEXT 40
struct waypoint_traced {
  struct waypoint_cmp *slot;
  uint8_t lengths[2];
  uint8_t reserved[6];
  uint8_t sides[2][WAYPOINT_TRACED_TEXT];
};

/* A live block of memory that the target allocated in this run. */
struct waypoint_block {
  uint64_t address, size;
  struct waypoint_alloc *site;
  uint64_t run; /* of another run: the entry is free */
};

#define WAYPOINT_BLOCKS (1u << 15) /* a power of two */

/* The transitions taken in this run. A slot is touched anew when a changed line is reached: what was before is dropped. */
struct waypoint_transitions {
  struct waypoint_touched touched;
  uint32_t from;    /* the first of `touched` that came after a changed line was reached */
  uint32_t reached; /* whether one was */
};

/* What one run wrote, apart from counters and slots. The engine owns it. */
struct waypoint_run {
  struct waypoint_touched cmps, switches, allocs;
  /* While a run is traced, slots have no best score, so that every comparison takes the slow path and comes here. */
  struct waypoint_traced *traced;
  uint32_t traced_capacity; /* 0: not traced */
  uint32_t n_traced;        /* may exceed the capacity */
  struct waypoint_transitions transitions;
  uint64_t number;       /* of the run: blocks with another number are free */
  uint64_t malloc_limit; /* a larger allocation is refused; 0: none is */
  uint64_t live, peak;   /* bytes */
  uint64_t n_blocks;
  uint64_t outs[WAYPOINT_OUTS]; /* bytes written, by descriptor */
  /* Tells of a refused allocation, and where the target goes on after it. */
  void (*refused)(struct waypoint_alloc *site, uint64_t size, void *caller);
  struct waypoint_block blocks[WAYPOINT_BLOCKS];
};

/* What the engine sets in every object: which events are recorded, and where. Nothing is without an engine. */
struct waypoint_side {
  uint8_t cmp_on, diff_on; /* side by side: a function with a version for each looks at both at once */
  uint8_t alloc_on;
  uint8_t blocks_on; /* live blocks are followed, too: needed for the peak, and dear */
  uint8_t out_on;
  uint8_t reserved[4];
  /* Up to this size an allocation needs nothing but to be counted; 0 while `alloc` is off or blocks are followed. */
  uint64_t quick_size;
  struct waypoint_run *run;
  struct waypoint_alloc *caller; /* the site of the last call through a pointer that may be one to malloc */
  uint64_t stack_start, stack_size; /* the stack on which the harness runs */
  const uint32_t *counters; /* the object's first counter */
  const uint8_t *changed;   /* for each of its counters, whether it stands for a changed line; null: none does */
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
  uint64_t *stacks_start, *stacks_stop;
  uint32_t *steps_start, *steps_stop;
  const char *texts_start, *texts_stop; /* constants that may be words, a zero behind each */
};

/* Called by a constructor of every instrumented object. Weak there: without an engine in the process it is null, so
 * instrumented helpers and libraries run anywhere. */
extern void __waypoint_register(const struct waypoint_object *object) __attribute__((weak));

#endif
