/* What a harness may use of Waypoint; `waypoint-cc` finds this header without -I.
 *
 * The functions are libFuzzer's, so that one harness serves both. All but LLVMFuzzerTestOneInput are optional. */
#ifndef WAYPOINT_H
#define WAYPOINT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the code under test once. Return 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Called once in every worker before the first run. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Replaces the built-in mutators: changes `data` in place, returns the new size (at most `max_size`). */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Joins two inputs into `out`, returns its size (at most `max_out_size`). */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned int seed);

/* Provided by Waypoint, for use inside LLVMFuzzerCustomMutator: one built-in mutation. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Provided by Waypoint, for programs with their own `main`: fuzzes `callback` with the command line's options. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/* Domains of your own.
 *
 * A domain has keys 0 .. keys-1. Every run starts with the value a0 for each of them and moves values with the functions
 * below; after the run, the aggregate of every touched key becomes reduce(aggregate, value). An input is kept if that
 * changes an aggregate, and the search goes on from it: `--domain NAME`.
 *
 * The reducer may be any function for which reducing with the same value twice changes nothing more (4.1) and the order
 * of values does not matter (4.2). A domain of that name that exists already is returned as it is, so
 *
 *     static dsf_t depth;
 *     if (!depth) depth = dsf_new_domain("depth", 1, dsf_max, 0);
 *     dsf_maximize(depth, 0, level);
 *
 * can stand where the value is known. The engine calls the reducer between runs; DSF_REDUCER before one of your own keeps
 * it out of the counters. Compiled by an ordinary compiler, or linked without the engine, all of it does nothing. */
typedef struct dsf_domain *dsf_t;
typedef uint64_t (*dsf_reducer)(uint64_t aggregate, uint64_t value);

#ifdef __WAYPOINT__
#define WAYPOINT_UNCOUNTED __attribute__((no_sanitize("coverage")))
#else
#define WAYPOINT_UNCOUNTED
#endif
#define DSF_REDUCER WAYPOINT_UNCOUNTED

/* The standard reducers. */
DSF_REDUCER static inline uint64_t dsf_max(uint64_t a, uint64_t v) { return a > v ? a : v; }
DSF_REDUCER static inline uint64_t dsf_min(uint64_t a, uint64_t v) { return a < v ? a : v; }
DSF_REDUCER static inline uint64_t dsf_bit_union(uint64_t a, uint64_t v) { return a | v; }
DSF_REDUCER static inline uint64_t dsf_bit_intersection(uint64_t a, uint64_t v) { return a & v; }
/* One bit for every order of magnitude (1, 2-3, 4-7, ...) that was seen. */
DSF_REDUCER static inline uint64_t dsf_log_union(uint64_t a, uint64_t v) {
  uint64_t highest = 0;
  for (; v; v >>= 1) highest = highest ? highest << 1 : 1;
  return a | highest;
}

/* What the engine provides; null without one. */
struct waypoint_dsf_api {
  dsf_t (*new_domain)(const char *name, size_t keys, dsf_reducer reduce, uint64_t a0);
  uint64_t (*get)(dsf_t domain, size_t key);
  void (*set)(dsf_t domain, size_t key, uint64_t value);
  void (*assumption_failed)(const char *place);
  void (*end_run)(void) __attribute__((noreturn));
  size_t (*keys)(dsf_t domain);
  void (*annotate)(uint32_t kind, uint64_t key, uint64_t value);
  void (*xor_state)(uint32_t value);
  void (*reset_state)(void);
  void (*push_state)(uint32_t value);
};
#ifdef __WAYPOINT__
extern const struct waypoint_dsf_api __waypoint_dsf __attribute__((weak));
#define WAYPOINT_DSF (&__waypoint_dsf)
#else
#define WAYPOINT_DSF ((const struct waypoint_dsf_api *)0)
#endif

static inline dsf_t dsf_new_domain(const char *name, size_t keys, dsf_reducer reduce, uint64_t a0) {
  return WAYPOINT_DSF ? WAYPOINT_DSF->new_domain(name, keys, reduce, a0) : (dsf_t)0;
}
/* The value of a key in this run. */
static inline uint64_t dsf_get(dsf_t domain, size_t key) { return domain ? WAYPOINT_DSF->get(domain, key) : 0; }
static inline void dsf_set(dsf_t domain, size_t key, uint64_t value) {
  if (domain) WAYPOINT_DSF->set(domain, key, value);
}
static inline void dsf_increment(dsf_t domain, size_t key, uint64_t by) {
  if (domain) dsf_set(domain, key, dsf_get(domain, key) + by);
}
static inline void dsf_union(dsf_t domain, size_t key, uint64_t bits) {
  if (domain) dsf_set(domain, key, dsf_get(domain, key) | bits);
}
static inline void dsf_maximize(dsf_t domain, size_t key, uint64_t value) {
  if (domain && value > dsf_get(domain, key)) dsf_set(domain, key, value);
}
static inline void dsf_minimize(dsf_t domain, size_t key, uint64_t value) {
  if (domain && value < dsf_get(domain, key)) dsf_set(domain, key, value);
}

/* Validity.
 *
 * An input for which an assumption fails is invalid. It may still be kept for the code it reaches, but moves the aggregate
 * of no other domain; `--domain valid` is coverage by valid inputs alone. Replaying such an input names the first
 * assumption that failed.
 *
 * WAYPOINT_ASSUME returns 0 from the function in which it stands, which is for LLVMFuzzerTestOneInput.
 * WAYPOINT_ASSUME_OR_RETURN returns the value given, and leaves it to the caller to give up.
 * WAYPOINT_ASSUME_OR_EXIT ends the run wherever it stands, by a jump to where the harness was called from: no destructor
 * runs, nothing is freed or unlocked, so leaks are not looked for any more in that process. In a thread that the target
 * started it ends that thread. Without an engine it calls exit(1). */
#define WAYPOINT_ASSUME(condition) WAYPOINT_ASSUME_(condition, #condition, return 0)
#define WAYPOINT_ASSUME_OR_RETURN(condition, value) WAYPOINT_ASSUME_(condition, #condition, return value)
#define WAYPOINT_ASSUME_OR_EXIT(condition) WAYPOINT_ASSUME_(condition, #condition, waypoint_end_run())

#define WAYPOINT_TEXT_(x) #x
#define WAYPOINT_LINE_(x) WAYPOINT_TEXT_(x)
#define WAYPOINT_ASSUME_(condition, text, give_up)                                                                     \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      waypoint_assumption_failed(__FILE__ ":" WAYPOINT_LINE_(__LINE__) ": " text);                                     \
      give_up;                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* The run is invalid, because of what is said here, in a string constant. It goes on. */
WAYPOINT_UNCOUNTED __attribute__((noinline, unused)) static void waypoint_assumption_failed(const char *place) {
  if (WAYPOINT_DSF) WAYPOINT_DSF->assumption_failed(place);
}
WAYPOINT_UNCOUNTED __attribute__((noreturn, noinline, unused)) static void waypoint_end_run(void) {
  if (WAYPOINT_DSF) WAYPOINT_DSF->end_run();
  exit(1);
}

#ifdef __cplusplus
}
#endif

#endif
