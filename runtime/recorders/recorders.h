/* What the recorders share. The pass plugin links them, as bitcode, into every translation unit: RECORDERs are inlined,
 * HELPERs become functions of which a linked object keeps one copy. They must not call anything that a freestanding
 * program lacks, apart from what the call they stand for calls. */
#ifndef WAYPOINT_RECORDERS_H
#define WAYPOINT_RECORDERS_H

#include <stddef.h>

#include "waypoint_abi.h"

#define RECORDER __attribute__((visibility("hidden"), used))
#define HELPER __attribute__((visibility("hidden"), used, noinline))
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

extern struct waypoint_side waypoint_side;

static inline void touch(struct waypoint_touched *list, void *slot) {
  uint32_t at = __atomic_fetch_add(&list->n, 1, __ATOMIC_RELAXED);
  if (at < list->capacity) list->slots[at] = slot;
}

#endif
