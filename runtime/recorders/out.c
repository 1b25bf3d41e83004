/* Event `out`: how many bytes the target writes, by file descriptor. The plugin puts these behind calls of functions that
 * write. What is written to a stream counts at once, whether its buffer is written out in this run or later. */
#include <errno.h>

#include "recorders.h"

extern int fileno(void *stream) __attribute__((weak));
extern void *stdout __attribute__((weak));
/* std::cout, std::cerr, std::clog of libstdc++ */
extern char _ZSt4cout __attribute__((weak));
extern char _ZSt4cerr __attribute__((weak));
extern char _ZSt4clog __attribute__((weak));

static inline int descriptor_of(uint32_t kind, void *sink) {
  switch (kind) {
  case WAYPOINT_STANDARD_OUTPUT:
    sink = &stdout ? stdout : NULL;
    /* fall through */
  case WAYPOINT_STREAM: {
    int before = errno, descriptor = fileno && sink ? fileno(sink) : -1;
    errno = before; /* a stream in memory has no descriptor */
    return descriptor;
  }
  case WAYPOINT_OSTREAM:
    if (sink == (void *)&_ZSt4cout) return 1;
    return sink == (void *)&_ZSt4cerr || sink == (void *)&_ZSt4clog ? 2 : -1;
  default:
    return (int)(intptr_t)sink;
  }
}

static inline void add(uint32_t kind, void *sink, int64_t bytes) {
  int descriptor = bytes > 0 ? descriptor_of(kind, sink) : -1;
  if (descriptor < 0) return;
  uint32_t cell = descriptor < WAYPOINT_OUTS ? descriptor : WAYPOINT_OUTS - 1;
  __atomic_fetch_add(&waypoint_side.run->outs[cell], (uint64_t)bytes, __ATOMIC_RELAXED);
}

HELPER void waypoint_out(uint32_t kind, void *sink, int64_t bytes) {
  if (UNLIKELY(waypoint_side.out_on)) add(kind, sink, bytes);
}

/* A text, and some bytes more; nothing if the result tells of a failure. */
HELPER void waypoint_out_text(uint32_t kind, void *sink, int64_t result, const char *text, int64_t more) {
  if (!waypoint_side.out_on || result < 0 || !text) return;
  while (*text++) ++more;
  add(kind, sink, more);
}
