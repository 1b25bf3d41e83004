/* Event `alloc`: what the target allocates, by call site, and how much is live at once.
 *
 * The plugin puts these in place of the target's own calls and adds the site as the last argument, so the engine's
 * allocations are never seen. While the event is switched off they do nothing but the call they stand for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "recorders.h"

/* Counts an allocation; says whether it must be refused. */
static inline int is_refused(struct waypoint_alloc *site, size_t size) {
  struct waypoint_run *run = waypoint_side.run;
  if (!size) return 0;
  if (!site->bytes) touch(&run->allocs, site);
  if (__builtin_add_overflow(site->bytes, size, &site->bytes)) site->bytes = UINT64_MAX;
  if (!UNLIKELY(run->malloc_limit && size > run->malloc_limit)) return 0;
  run->refused(site, size);
  return 1;
}

/* Live blocks: open addressing; an entry of another run counts as free. Threads of the target may tear an entry, never
 * reach beyond the table. */

static inline uint32_t place_of(uint64_t address) {
  return (uint32_t)((address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % WAYPOINT_BLOCKS;
}

static inline void *remember(void *address, size_t size, struct waypoint_alloc *site) {
  struct waypoint_run *run = waypoint_side.run;
  if (!address || run->n_blocks > WAYPOINT_BLOCKS / 4 * 3) return address;
  uint32_t at = place_of((uint64_t)address);
  while (run->blocks[at].run == run->number) at = (at + 1) % WAYPOINT_BLOCKS;
  run->blocks[at] = (struct waypoint_block){(uint64_t)address, size, site, run->number};
  ++run->n_blocks;
  run->live += size;
  if (run->live > run->peak) run->peak = run->live;
  return address;
}

/* Takes a block out and says how large it was; 0 for one that was never seen. */
static inline size_t forget(void *address) {
  struct waypoint_run *run = waypoint_side.run;
  uint32_t at = place_of((uint64_t)address);
  for (;; at = (at + 1) % WAYPOINT_BLOCKS) {
    if (run->blocks[at].run != run->number) return 0;
    if (run->blocks[at].address == (uint64_t)address) break;
  }
  size_t size = run->blocks[at].size;
  run->live -= size;
  --run->n_blocks;
  /* Entries behind it that were pushed on by it move up. */
  for (uint32_t next = (at + 1) % WAYPOINT_BLOCKS; run->blocks[next].run == run->number;
       next = (next + 1) % WAYPOINT_BLOCKS) {
    uint32_t home = place_of(run->blocks[next].address);
    if ((next - home) % WAYPOINT_BLOCKS >= (next - at) % WAYPOINT_BLOCKS) {
      run->blocks[at] = run->blocks[next];
      at = next;
    }
  }
  run->blocks[at].run = 0;
  return size;
}

static inline void *no_memory(void) {
  errno = ENOMEM;
  return NULL;
}

/* The product, or more than there can be. */
static inline size_t times(size_t count, size_t size) {
  size_t product;
  return __builtin_mul_overflow(count, size, &product) ? SIZE_MAX : product;
}

HELPER void *waypoint_malloc(size_t size, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return malloc(size);
  return is_refused(site, size) ? no_memory() : remember(malloc(size), size, site);
}

HELPER void *waypoint_calloc(size_t count, size_t size, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return calloc(count, size);
  size_t all = times(count, size);
  return is_refused(site, all) ? no_memory() : remember(calloc(count, size), all, site);
}

/* Only growth counts. */
HELPER void *waypoint_realloc(void *old, size_t size, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return realloc(old, size);
  if (waypoint_side.run->malloc_limit && size > waypoint_side.run->malloc_limit) {
    is_refused(site, size);
    return no_memory();
  }
  size_t before = old ? forget(old) : 0;
  if (size > before) is_refused(site, size - before);
  void *block = realloc(old, size);
  if (!block && size) {
    if (before) remember(old, before, site); /* it failed, and the old block lives on */
    return NULL;
  }
  return remember(block, size, site);
}

HELPER void *waypoint_reallocarray(void *old, size_t count, size_t size, struct waypoint_alloc *site) {
  return waypoint_realloc(old, times(count, size), site);
}

HELPER void *waypoint_aligned_alloc(size_t alignment, size_t size, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return aligned_alloc(alignment, size);
  return is_refused(site, size) ? no_memory() : remember(aligned_alloc(alignment, size), size, site);
}

extern void *memalign(size_t alignment, size_t size);
HELPER void *waypoint_memalign(size_t alignment, size_t size, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return memalign(alignment, size);
  return is_refused(site, size) ? no_memory() : remember(memalign(alignment, size), size, site);
}

extern int posix_memalign(void **out, size_t alignment, size_t size);
HELPER int waypoint_posix_memalign(void **out, size_t alignment, size_t size, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return posix_memalign(out, alignment, size);
  if (is_refused(site, size)) return ENOMEM;
  int result = posix_memalign(out, alignment, size);
  if (!result) remember(*out, size, site);
  return result;
}

/* The copy's size is known before it is made. */
extern char *strdup(const char *text);
HELPER char *waypoint_strdup(const char *text, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return strdup(text);
  size_t size = strlen(text) + 1;
  return is_refused(site, size) ? no_memory() : remember(strdup(text), size, site);
}

extern char *strndup(const char *text, size_t limit);
extern size_t strnlen(const char *text, size_t limit);
HELPER char *waypoint_strndup(const char *text, size_t limit, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return strndup(text, limit);
  size_t size = strnlen(text, limit) + 1;
  return is_refused(site, size) ? no_memory() : remember(strndup(text, limit), size, site);
}

/* asprintf and vasprintf, after the call: what was printed is what was allocated. */
HELPER int waypoint_printed(int result, char **out, struct waypoint_alloc *site) {
  if (waypoint_side.alloc_on && result >= 0) {
    is_refused(site, (size_t)result + 1);
    remember(*out, (size_t)result + 1, site);
  }
  return result;
}

HELPER void waypoint_free(void *block) {
  if (waypoint_side.alloc_on && block) forget(block);
  free(block);
}

/* C++. Refusing means throwing, which the C++ library does for us: by name, or by an impossible request. */

extern void *_Znwm(size_t size);
extern void *_Znam(size_t size);
extern void *_ZnwmSt11align_val_t(size_t size, size_t alignment);
extern void *_ZnamSt11align_val_t(size_t size, size_t alignment);
extern void *_ZnwmRKSt9nothrow_t(size_t size, const void *tag);
extern void *_ZnamRKSt9nothrow_t(size_t size, const void *tag);
extern void _ZSt17__throw_bad_allocv(void) __attribute__((weak));
extern void _ZNSt3__117__throw_bad_allocEv(void) __attribute__((weak));

static inline void *throw_bad_alloc(void) {
  if (_ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
  if (_ZNSt3__117__throw_bad_allocEv) _ZNSt3__117__throw_bad_allocEv();
  return _Znwm(PTRDIFF_MAX);
}

#define OPERATOR_NEW(name)                                                                                             \
  HELPER void *waypoint##name(size_t size, struct waypoint_alloc *site) {                                              \
    if (!waypoint_side.alloc_on) return name(size);                                                                    \
    return is_refused(site, size) ? throw_bad_alloc() : remember(name(size), size, site);                              \
  }
OPERATOR_NEW(_Znwm)
OPERATOR_NEW(_Znam)

#define OPERATOR_NEW_ALIGNED(name)                                                                                     \
  HELPER void *waypoint##name(size_t size, size_t alignment, struct waypoint_alloc *site) {                            \
    if (!waypoint_side.alloc_on) return name(size, alignment);                                                         \
    return is_refused(site, size) ? throw_bad_alloc() : remember(name(size, alignment), size, site);                   \
  }
OPERATOR_NEW_ALIGNED(_ZnwmSt11align_val_t)
OPERATOR_NEW_ALIGNED(_ZnamSt11align_val_t)

#define OPERATOR_NEW_NOTHROW(name)                                                                                     \
  HELPER void *waypoint##name(size_t size, const void *tag, struct waypoint_alloc *site) {                             \
    if (!waypoint_side.alloc_on) return name(size, tag);                                                               \
    return is_refused(site, size) ? NULL : remember(name(size, tag), size, site);                                      \
  }
OPERATOR_NEW_NOTHROW(_ZnwmRKSt9nothrow_t)
OPERATOR_NEW_NOTHROW(_ZnamRKSt9nothrow_t)

/* Put before a call of operator delete, in any of its forms. */
HELPER void waypoint_deleted(void *block) {
  if (waypoint_side.alloc_on && block) forget(block);
}

/* Pointers to the functions: the site is whoever calls. */

static inline struct waypoint_alloc *caller(void *return_address) {
  struct waypoint_run *run = waypoint_side.run;
  uint64_t where = (uint64_t)return_address;
  uint32_t first = place_of(where << 4) % WAYPOINT_INDIRECT_SITES, at = first;
  while (run->indirect[at].where != where) {
    if (!run->indirect[at].where) {
      run->indirect[at].where = where;
      break;
    }
    at = (at + 1) % WAYPOINT_INDIRECT_SITES;
    if (at == first) break; /* full: some share a site */
  }
  return &run->indirect[at];
}

#define POINTER __attribute__((visibility("default"), used, noinline))

POINTER void *__waypoint_malloc_pointer(size_t size) {
  if (!waypoint_side.alloc_on) return malloc(size);
  return waypoint_malloc(size, caller(__builtin_return_address(0)));
}

POINTER void *__waypoint_calloc_pointer(size_t count, size_t size) {
  if (!waypoint_side.alloc_on) return calloc(count, size);
  return waypoint_calloc(count, size, caller(__builtin_return_address(0)));
}

POINTER void *__waypoint_realloc_pointer(void *old, size_t size) {
  if (!waypoint_side.alloc_on) return realloc(old, size);
  return waypoint_realloc(old, size, caller(__builtin_return_address(0)));
}

POINTER void __waypoint_free_pointer(void *block) { waypoint_free(block); }
