// What the scoreboard's judge counts in a run: edges by clang's own trace-pc-guard, memory by a counting allocator.
//
// Linked with referee-driver.c into a build that belongs to no contender. For each file it prints, in the order of the
// list: PATH HOTTEST EDGES ALLOCATED LARGEST SITE PEAK BEHIND. EDGES (distinct edges) and BEHIND (those taken after an
// edge that WAYPOINT_JUDGE_CHANGED lists) are of all files so far, the others of this file; memory is in bytes.
// A file that crashes or hangs has what was counted until then. With WAYPOINT_JUDGE_PCS it prints instead where each
// edge is, relative to the program.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { kMaxEdges = 1 << 20, kSites = 1 << 14 };

struct verdict {
  uint64_t path, hottest, edges, allocated, largest, site, peak, behind;
};

// Shared by the process and its children, so that what a dying child counted is not lost.
struct shared {
  uint64_t live;
  struct verdict now;
  uint8_t reached, counting;
  uint8_t seen[kMaxEdges], behind[kMaxEdges], changed[kMaxEdges];
  uint64_t hits[kMaxEdges];
  struct {
    uintptr_t place;
    uint64_t bytes;
  } sites[kSites];
};

static struct shared *shared;
static struct verdict *verdicts;
static uint32_t n_edges;
static const uintptr_t *pcs;
static size_t n_pcs;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static void *map(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) _Exit(1);
  return memory;
}

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  if (shared == NULL) shared = map(sizeof *shared);
  if (start == stop || *start != 0) return;  // another object file of the same program
  for (uint32_t *guard = start; guard < stop && n_edges + 1 < kMaxEdges; guard++) *guard = ++n_edges;
}

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) {
  if (pcs == NULL) {
    pcs = start;
    n_pcs = (size_t)(stop - start) / 2;
  }
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  uint32_t edge = *guard;
  if (!shared->counting) return;
  shared->hits[edge]++;
  shared->reached |= shared->changed[edge];
  if (shared->reached) shared->behind[edge] = 1;
}

// The allocator.

static void count(void *block, uint64_t asked, uintptr_t place) {
  if (shared == NULL || !shared->counting || block == NULL) return;
  struct verdict *now = &shared->now;
  now->allocated += asked;
  if (asked > now->largest) now->largest = asked;
  for (size_t at = (place * 0x9e3779b97f4a7c15u) >> 50, tries = 0; tries < kSites; at++, tries++) {
    at %= kSites;
    if (shared->sites[at].place != 0 && shared->sites[at].place != place) continue;
    shared->sites[at].place = place;
    shared->sites[at].bytes += asked;
    if (shared->sites[at].bytes > now->site) now->site = shared->sites[at].bytes;
    break;
  }
}

static void add_live(void *block) {
  if (shared == NULL || !shared->counting || block == NULL) return;
  shared->live += malloc_usable_size(block);
  if (shared->live > shared->now.peak) shared->now.peak = shared->live;
}

static void drop_live(void *block) {
  if (shared == NULL || !shared->counting || block == NULL) return;
  // What was allocated before this run began is no part of it.
  uint64_t size = malloc_usable_size(block);
  shared->live -= size < shared->live ? size : shared->live;
}

#define CALLER ((uintptr_t)__builtin_return_address(0))

void *malloc(size_t size) {
  void *block = __libc_malloc(size);
  count(block, size, CALLER);
  add_live(block);
  return block;
}

void *calloc(size_t number, size_t size) {
  void *block = __libc_calloc(number, size);
  count(block, (uint64_t)number * size, CALLER);
  add_live(block);
  return block;
}

static void *change(void *old, size_t size, uintptr_t place) {
  uint64_t before = old != NULL ? malloc_usable_size(old) : 0;
  drop_live(old);
  void *block = __libc_realloc(old, size);
  count(block, size > before ? size - before : 0, place);
  add_live(block != NULL || size == 0 ? block : old);
  return block;
}

void *realloc(void *old, size_t size) { return change(old, size, CALLER); }

void *reallocarray(void *old, size_t number, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return change(old, bytes, CALLER);
}

static void *aligned(size_t alignment, size_t size, uintptr_t place) {
  void *block = __libc_memalign(alignment, size);
  count(block, size, place);
  add_live(block);
  return block;
}

void *memalign(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }
void *aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }

int posix_memalign(void **out, size_t alignment, size_t size) {
  void *block = aligned(alignment, size, CALLER);
  if (block == NULL) return ENOMEM;
  *out = block;
  return 0;
}

void free(void *block) {
  drop_live(block);
  __libc_free(block);
}

// What referee-driver.c calls.

static void read_changed(const char *list) {
  for (char *end; *list != '\0'; list = *end == ',' ? end + 1 : end) {
    unsigned long edge = strtoul(list, &end, 10);
    if (end == list) return;
    if (edge < kMaxEdges) shared->changed[edge] = 1;
  }
}

int referee_start(size_t files) {
  if (shared == NULL) shared = map(sizeof *shared);
  if (getenv("WAYPOINT_JUDGE_PCS") != NULL) {
    Dl_info info;
    for (size_t i = 0; i < n_pcs; i++) {
      uintptr_t base = dladdr((void *)pcs[2 * i], &info) != 0 ? (uintptr_t)info.dli_fbase : 0;
      printf("%zx\n", (size_t)(pcs[2 * i] - base));
    }
    return 0;
  }
  const char *changed = getenv("WAYPOINT_JUDGE_CHANGED");
  if (changed != NULL) read_changed(changed);
  verdicts = map((files + 1) * sizeof *verdicts);
  return 1;
}

void referee_before(size_t file) {
  (void)file;
  memset(shared->hits, 0, (n_edges + 1) * sizeof *shared->hits);
  memset(shared->sites, 0, sizeof shared->sites);
  memset(&shared->now, 0, sizeof shared->now);
  shared->live = 0;
  shared->reached = 0;
  shared->counting = 1;
}

void referee_after(size_t file) {
  shared->counting = 0;
  struct verdict *now = &shared->now;
  for (uint32_t i = 1; i <= n_edges; i++) {
    now->path += shared->hits[i];
    if (shared->hits[i] > now->hottest) now->hottest = shared->hits[i];
    if (shared->hits[i] > 0) shared->seen[i] = 1;
    now->edges += shared->seen[i];
    now->behind += shared->behind[i];
  }
  verdicts[file] = *now;
}

void referee_end(size_t files) {
  for (size_t i = 0; i < files; i++) {
    const struct verdict *v = &verdicts[i];
    printf("%llu %llu %llu %llu %llu %llu %llu %llu\n", (unsigned long long)v->path, (unsigned long long)v->hottest,
           (unsigned long long)v->edges, (unsigned long long)v->allocated, (unsigned long long)v->largest,
           (unsigned long long)v->site, (unsigned long long)v->peak, (unsigned long long)v->behind);
  }
}
