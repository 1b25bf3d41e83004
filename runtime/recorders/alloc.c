/* Event `alloc`: what the target allocates, by call site, and how much is live at once.
 *
 * The plugin puts these in place of the target's own calls and adds the site as the last argument, so the engine's
 * allocations are never seen. Counting is all that most runs do; following live blocks costs more, so the engine asks
 * for it only when a run may have a new peak. While the event is off there is nothing but the call itself. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "recorders.h"

static inline void count(struct waypoint_alloc *site, size_t size) {
#if defined(__x86_64__)
  /* Adds in memory: the compiler would load and store, two instructions more for every allocation. */
  __asm__("addq %1, %0" : "+m"(site->bytes) : "r"(size) : "cc");
#else
  site->bytes += size;
#endif
  if (UNLIKELY(site->bytes == size) && size) touch(&waypoint_side.run->allocs, site);
}

/* Whether an allocation needs nothing but to be counted, and if so, counts it. */
static inline int is_quick(struct waypoint_alloc *site, size_t size) {
  if (UNLIKELY(size > waypoint_side.quick_size)) return 0;
  count(site, size);
  return 1;
}

static inline int is_too_large(size_t size) {
  uint64_t limit = waypoint_side.run->malloc_limit;
  return limit && size > limit;
}

/* Counts an allocation that was not quick; says whether it must be refused. */
static inline int is_refused(struct waypoint_alloc *site, size_t size) {
  uint64_t room = UINT64_MAX - site->bytes;
  count(site, size < room ? size : room);
  if (!is_too_large(size)) return 0;
  if (waypoint_side.run->refused) waypoint_side.run->refused(site, size, __builtin_return_address(0));
  return 1;
}

/* Live blocks: open addressing; an entry of another run counts as free. Threads of the target may tear an entry, never
 * reach beyond the table. */

/* Written in another form, so that LeakSanitizer does not take the table for the owner of what is leaked. */
static inline uint64_t hidden(void *address) { return ~(uint64_t)address; }

static inline uint32_t place_of(uint64_t address) {
  return (uint32_t)((address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % WAYPOINT_BLOCKS;
}

static inline void *remember(void *address, size_t size, struct waypoint_alloc *site) {
  struct waypoint_run *run = waypoint_side.run;
  if (!waypoint_side.blocks_on || !address || !site || run->n_blocks > WAYPOINT_BLOCKS / 4 * 3) return address;
  uint32_t at = place_of(hidden(address));
  while (run->blocks[at].run == run->number) at = (at + 1) % WAYPOINT_BLOCKS;
  run->blocks[at] = (struct waypoint_block){hidden(address), size, site, run->number};
  ++run->n_blocks;
  site->live += size;
  run->live += size;
  if (run->live > run->peak) run->peak = run->live;
  return address;
}

/* Takes a block out, if it was seen, and says where it came from. */
HELPER struct waypoint_alloc *waypoint_forget(void *address) {
  struct waypoint_run *run = waypoint_side.run;
  uint32_t at = place_of(hidden(address));
  for (;; at = (at + 1) % WAYPOINT_BLOCKS) {
    if (run->blocks[at].run != run->number) return NULL;
    if (run->blocks[at].address == hidden(address)) break;
  }
  struct waypoint_alloc *site = run->blocks[at].site;
  site->live -= run->blocks[at].size;
  run->live -= run->blocks[at].size;
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
  return site;
}

static inline struct waypoint_alloc *forget(void *address) {
  return UNLIKELY(waypoint_side.blocks_on) ? waypoint_forget(address) : NULL;
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

/* Sanitizers walk the stack by frame pointers, and would lose their way in a function that calls on and has none. */
#define KEEP_FRAME() __asm__ volatile("" ::"r"(__builtin_frame_address(0)))

/* An allocation function with these parameters, and the size it allocates. A slow one is not quick to count, or the
 * event is off. */
#define ALLOCATION(result, name, parameters, arguments, size, refused)                                                 \
  HELPER result waypoint_slow_##name(UNPACK parameters, struct waypoint_alloc *site) {                                 \
    if (!waypoint_side.alloc_on) return name arguments;                                                                \
    KEEP_FRAME();                                                                                                      \
    size_t all = (size);                                                                                               \
    return is_refused(site, all) ? refused : remember(name arguments, all, site);                                      \
  }                                                                                                                    \
  HELPER result waypoint_##name(UNPACK parameters, struct waypoint_alloc *site) {                                      \
    return is_quick(site, (size)) ? name arguments : waypoint_slow_##name(UNPACK arguments, site);                     \
  }
#define UNPACK(...) __VA_ARGS__

extern void *memalign(size_t alignment, size_t size);
extern void *valloc(size_t size);

ALLOCATION(void *, malloc, (size_t size), (size), size, no_memory())
ALLOCATION(void *, calloc, (size_t count, size_t size), (count, size), times(count, size), no_memory())
ALLOCATION(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), size, no_memory())
ALLOCATION(void *, memalign, (size_t alignment, size_t size), (alignment, size), size, no_memory())
ALLOCATION(void *, valloc, (size_t size), (size), size, no_memory())

/* The copy's size is known before it is made. */
extern char *strdup(const char *text);
extern char *strndup(const char *text, size_t limit);
extern size_t strnlen(const char *text, size_t limit);

HELPER char *waypoint_strdup(const char *text, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return strdup(text);
  KEEP_FRAME();
  size_t size = strlen(text) + 1;
  return is_refused(site, size) ? no_memory() : remember(strdup(text), size, site);
}

HELPER char *waypoint_strndup(const char *text, size_t limit, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return strndup(text, limit);
  KEEP_FRAME();
  size_t size = strnlen(text, limit) + 1;
  return is_refused(site, size) ? no_memory() : remember(strndup(text, limit), size, site);
}

extern int posix_memalign(void **out, size_t alignment, size_t size);
HELPER int waypoint_posix_memalign(void **out, size_t alignment, size_t size, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return posix_memalign(out, alignment, size);
  KEEP_FRAME();
  if (is_refused(site, size)) return ENOMEM;
  int result = posix_memalign(out, alignment, size);
  if (!result) remember(*out, size, site);
  return result;
}

/* Only growth counts. */
extern size_t malloc_usable_size(void *block) __attribute__((weak));
HELPER void *waypoint_realloc(void *old, size_t size, struct waypoint_alloc *site) {
  if (!waypoint_side.alloc_on) return realloc(old, size);
  KEEP_FRAME();
  if (is_too_large(size)) {
    is_refused(site, size);
    return no_memory();
  }
  size_t before = old && malloc_usable_size ? malloc_usable_size(old) : 0;
  if (size > before) count(site, size - before);
  void *block = realloc(old, size);
  struct waypoint_alloc *owner = old && (block || !size) ? forget(old) : NULL;
  /* Who made it grow answers for it. */
  return remember(block, size, size > before ? site : owner);
}

HELPER void *waypoint_reallocarray(void *old, size_t count, size_t size, struct waypoint_alloc *site) {
  return waypoint_realloc(old, times(count, size), site);
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
  forget(block);
  free(block);
}

/* C++. Refusing means throwing, which the C++ library does for us: by name, or by an impossible request. */

extern void *_Znwm(size_t size);
extern void *_Znam(size_t size);
extern void *_ZnwmSt11align_val_t(size_t size, size_t alignment);
extern void *_ZnamSt11align_val_t(size_t size, size_t alignment);
extern void *_ZnwmRKSt9nothrow_t(size_t size, const void *tag);
extern void *_ZnamRKSt9nothrow_t(size_t size, const void *tag);
extern void *_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const void *tag);
extern void *_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const void *tag);
extern void _ZSt17__throw_bad_allocv(void) __attribute__((weak));
extern void _ZNSt3__117__throw_bad_allocEv(void) __attribute__((weak));

static inline void *throw_bad_alloc(void) {
  if (_ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
  if (_ZNSt3__117__throw_bad_allocEv) _ZNSt3__117__throw_bad_allocEv();
  return _Znwm(PTRDIFF_MAX);
}

#define ALLOCATION_NEW(name, parameters, arguments, refused)                                                           \
  HELPER void *waypoint_slow##name(UNPACK parameters, struct waypoint_alloc *site) {                                   \
    KEEP_FRAME();                                                                                                      \
    return is_refused(site, size) ? refused : remember(name arguments, size, site);                                    \
  }                                                                                                                    \
  HELPER void *waypoint##name(UNPACK parameters, struct waypoint_alloc *site) {                                        \
    if (is_quick(site, size) || !waypoint_side.alloc_on) return name arguments;                                        \
    return waypoint_slow##name(UNPACK arguments, site);                                                                \
  }

ALLOCATION_NEW(_Znwm, (size_t size), (size), throw_bad_alloc())
ALLOCATION_NEW(_Znam, (size_t size), (size), throw_bad_alloc())
ALLOCATION_NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment), throw_bad_alloc())
ALLOCATION_NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment), throw_bad_alloc())
ALLOCATION_NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *tag), (size, tag), NULL)
ALLOCATION_NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *tag), (size, tag), NULL)
ALLOCATION_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *tag),
               (size, alignment, tag), NULL)
ALLOCATION_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t size, size_t alignment, const void *tag),
               (size, alignment, tag), NULL)

/* Put before a call of operator delete, in any of its forms. */
HELPER void waypoint_deleted(void *block) { forget(block); }

/* Pointers to the functions: the caller has left its site behind. */

#define POINTER __attribute__((visibility("default"), used, noinline))

POINTER void *__waypoint_malloc_pointer(size_t size) {
  struct waypoint_alloc *site = waypoint_side.caller;
  return is_quick(site, size) ? malloc(size) : waypoint_slow_malloc(size, site);
}

POINTER void *__waypoint_calloc_pointer(size_t count, size_t size) {
  return waypoint_calloc(count, size, waypoint_side.caller);
}

POINTER void *__waypoint_realloc_pointer(void *old, size_t size) {
  return waypoint_realloc(old, size, waypoint_side.caller);
}

POINTER void __waypoint_free_pointer(void *block) { waypoint_free(block); }
