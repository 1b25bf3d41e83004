/* Leaks, where LeakSanitizer is in the process: what a run allocated and did not free, and the check itself. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define OPTIONAL __attribute__((weak, visibility("default")))

OPTIONAL int __lsan_do_recoverable_leak_check(void);
OPTIONAL void __lsan_disable(void);
OPTIONAL void __lsan_enable(void);
OPTIONAL int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                                       void (*on_free)(const volatile void *));
OPTIONAL void __sanitizer_set_report_fd(void *fd);

static atomic_long surplus;

static void on_malloc(const volatile void *block, size_t size) {
  (void)block, (void)size;
  atomic_fetch_add_explicit(&surplus, 1, memory_order_relaxed);
}

static void on_free(const volatile void *block) {
  if (block) atomic_fetch_sub_explicit(&surplus, 1, memory_order_relaxed);
}

int waypoint_leaks_can_be_found(void) {
  return __lsan_do_recoverable_leak_check && __lsan_disable && __lsan_enable &&
         __sanitizer_install_malloc_and_free_hooks && __sanitizer_set_report_fd;
}

/* From now on allocations are counted. */
int waypoint_leaks_count(void) { return __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free); }

void waypoint_leaks_reset(void) { atomic_store_explicit(&surplus, 0, memory_order_relaxed); }

long waypoint_leaks_surplus(void) { return atomic_load_explicit(&surplus, memory_order_relaxed); }

/* What this thread allocates is no leak, until told otherwise. */
void waypoint_leaks_ignore(int yes) { yes ? __lsan_disable() : __lsan_enable(); }

/* Whether there are leaks; the report goes to `fd`. Ends the process if LeakSanitizer cannot do its work. */
int waypoint_leaks_check(int fd) {
  __sanitizer_set_report_fd((void *)(intptr_t)fd);
  int found = __lsan_do_recoverable_leak_check();
  __sanitizer_set_report_fd((void *)(intptr_t)2);
  return found;
}
