/* IJON's annotations, under its names and those of AFL++. waypoint-cc includes this header where a source file uses them
 * or AFL_LLVM_IJON is set, as those tools do; a source may include it, too. For other compilers they do nothing.
 *
 * Every annotation has a key for the line it stands in. They guide unasked, as the domains ijon_max, ijon_min, ijon_set,
 * ijon_inc and ijon_state. */
#ifndef WAYPOINT_IJON_H
#define WAYPOINT_IJON_H
#ifndef __ASSEMBLER__

#include <unwind.h>

#include "waypoint.h"

/* Not inlined, so that they have no edges in the target's functions. */
#define IJON_FUNCTION_ WAYPOINT_UNCOUNTED __attribute__((noinline, unused)) static

#define IJON_KIND_MAX_ 0
#define IJON_KIND_MIN_ 1
#define IJON_KIND_SET_ 2
#define IJON_KIND_INC_ 3
#define IJON_KIND_STATE_ 4

/* The hash of the place, after a mark by which the engine knows before the first run which kinds there are. */
#ifdef __WAYPOINT__
#define IJON_MARK_(kind)                                                                                               \
  static const uint8_t ijon_mark __attribute__((used, retain, section("waypoint_ijon"))) = (kind);                      \
  (void)ijon_mark
#else
#define IJON_MARK_(kind) (void)0
#endif
#define IJON_PLACE_(kind)                                                                                              \
  __extension__({                                                                                                      \
    static uint32_t ijon_place;                                                                                        \
    IJON_MARK_(kind);                                                                                                  \
    ijon_place_(&ijon_place, __LINE__, __FILE__);                                                                      \
  })

#ifdef __cplusplus
extern "C" {
#endif

IJON_FUNCTION_ uint64_t ijon_simple_hash(uint64_t x) {
  x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
  x = (x ^ x >> 29) * UINT64_C(0x9e3779b97f4a7c15);
  return x ^ x >> 32;
}
IJON_FUNCTION_ uint32_t ijon_hashint(uint32_t old, uint32_t value) {
  return (uint32_t)ijon_simple_hash((uint64_t)old << 32 | value);
}
IJON_FUNCTION_ uint32_t ijon_hashmem(uint32_t old, const char *bytes, size_t length) {
  size_t i;
  for (i = 0; i < length; i++) old = ijon_hashint(old, (uint8_t)bytes[i]);
  return old;
}
IJON_FUNCTION_ uint32_t ijon_hashstr(uint32_t old, const char *text) {
  for (; *text; text++) old = ijon_hashint(old, (uint8_t)*text);
  return old;
}
IJON_FUNCTION_ uint32_t ijon_place_(uint32_t *known, uint32_t line, const char *file) {
  if (!*known) *known = ijon_hashstr(line, file) | 1;
  return *known;
}
/* How many bytes are equal from the start. */
IJON_FUNCTION_ uint32_t ijon_strdist(const char *a, const char *b) {
  uint32_t i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return i;
}
IJON_FUNCTION_ uint32_t ijon_memdist(const char *a, const char *b, size_t length) {
  uint32_t i = 0;
  while (i < length && a[i] == b[i]) i++;
  return i;
}

IJON_FUNCTION_ void ijon_annotate_(uint32_t kind, uint64_t key, uint64_t value) {
  if (WAYPOINT_DSF) WAYPOINT_DSF->annotate(kind, key, value);
}
IJON_FUNCTION_ void ijon_max(uint32_t place, uint64_t value) {
  ijon_annotate_(IJON_KIND_MAX_, place, value);
}
IJON_FUNCTION_ void ijon_min(uint32_t place, uint64_t value) {
  ijon_annotate_(IJON_KIND_MIN_, place, value);
}
IJON_FUNCTION_ void ijon_map_set(uint32_t key) { ijon_annotate_(IJON_KIND_SET_, key, 1); }
IJON_FUNCTION_ void ijon_map_inc(uint32_t key) { ijon_annotate_(IJON_KIND_INC_, key, 1); }
IJON_FUNCTION_ void ijon_set(uint32_t place, uint32_t value) { ijon_map_set(place ^ value); }
IJON_FUNCTION_ void ijon_inc(uint32_t place, uint32_t value) { ijon_map_inc(place ^ value); }
/* Edges count apart in every state. */
IJON_FUNCTION_ void ijon_xor_state(uint32_t value) {
  if (WAYPOINT_DSF) WAYPOINT_DSF->xor_state(value);
}
IJON_FUNCTION_ void ijon_reset_state(void) {
  if (WAYPOINT_DSF) WAYPOINT_DSF->reset_state();
}
/* The last four values that were pushed are part of the state. */
IJON_FUNCTION_ void ijon_push_state(uint32_t value) {
  if (WAYPOINT_DSF) WAYPOINT_DSF->push_state(value);
}

/* A hash of who called whom, from places within this object, so that it is the same in every process. */
struct ijon_frames_ {
  uint32_t hash;
  int left;
};
IJON_FUNCTION_ _Unwind_Reason_Code ijon_frame_(struct _Unwind_Context *context, void *data) {
  struct ijon_frames_ *frames = (struct ijon_frames_ *)data;
  int64_t distance = (int64_t)_Unwind_GetIP(context) - (int64_t)(uintptr_t)&ijon_frame_;
  if (distance > -(INT64_C(1) << 28) && distance < (INT64_C(1) << 28))
    frames->hash = ijon_hashint(frames->hash, (uint32_t)distance);
  return --frames->left > 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
}
IJON_FUNCTION_ uint32_t ijon_hashstack(void) {
  struct ijon_frames_ frames = {0, 16};
  if (WAYPOINT_DSF) _Unwind_Backtrace(ijon_frame_, &frames);
  return frames.hash;
}

#ifdef __cplusplus
}
#endif

/* Of several values each has a key of its own. */
#define IJON_NTH_(a, b, c, d, e, f, g, h, name, ...) name
#define IJON_EACH_(one, place, ...)                                                                                    \
  IJON_NTH_(__VA_ARGS__, IJON_8_, IJON_7_, IJON_6_, IJON_5_, IJON_4_, IJON_3_, IJON_2_, IJON_1_, IJON_1_)             \
  (one, place, __VA_ARGS__)
#define IJON_1_(one, place, a) one(place, (uint64_t)(a))
#define IJON_2_(one, place, a, b) (one(place, (uint64_t)(a)), one((place) + 2, (uint64_t)(b)))
#define IJON_3_(one, place, a, b, c) (IJON_2_(one, place, a, b), one((place) + 4, (uint64_t)(c)))
#define IJON_4_(one, place, a, b, c, d) (IJON_3_(one, place, a, b, c), one((place) + 6, (uint64_t)(d)))

#define IJON_5_(one, place, a, b, c, d, e) (IJON_4_(one, place, a, b, c, d), one((place) + 8, (uint64_t)(e)))
#define IJON_6_(one, place, a, b, c, d, e, f) (IJON_5_(one, place, a, b, c, d, e), one((place) + 10, (uint64_t)(f)))
#define IJON_7_(one, place, a, b, c, d, e, f, g)                                                                       \
  (IJON_6_(one, place, a, b, c, d, e, f), one((place) + 12, (uint64_t)(g)))
#define IJON_8_(one, place, a, b, c, d, e, f, g, h)                                                                    \
  (IJON_7_(one, place, a, b, c, d, e, f, g), one((place) + 14, (uint64_t)(h)))

#define IJON_MAX(...) IJON_EACH_(ijon_max, IJON_PLACE_(IJON_KIND_MAX_), __VA_ARGS__)
#define IJON_MIN(...) IJON_EACH_(ijon_min, IJON_PLACE_(IJON_KIND_MIN_), __VA_ARGS__)
#define IJON_MAX_AT(place, x) ((void)IJON_PLACE_(IJON_KIND_MAX_), ijon_max((place), (uint64_t)(x)))
#define IJON_STACK_MAX(x) ijon_max(IJON_PLACE_(IJON_KIND_MAX_) ^ ijon_hashstack(), (uint64_t)(x))
#define IJON_STACK_MIN(x) ijon_min(IJON_PLACE_(IJON_KIND_MIN_) ^ ijon_hashstack(), (uint64_t)(x))
#define IJON_MIN_AT(place, x) ((void)IJON_PLACE_(IJON_KIND_MIN_), ijon_min((place), (uint64_t)(x)))
#define IJON_SET(x) ijon_set(IJON_PLACE_(IJON_KIND_SET_), (uint32_t)(x))
#define IJON_INC(x) ijon_inc(IJON_PLACE_(IJON_KIND_INC_), (uint32_t)(x))
#define IJON_CMP(x, y) IJON_INC(__builtin_popcountll((unsigned long long)((x) ^ (y))))
#define IJON_DIST(x, y) IJON_MIN((x) < (y) ? (y) - (x) : (x) - (y))
#define IJON_STRDIST(x, y) IJON_SET(ijon_strdist((const char *)(x), (const char *)(y)))
#define IJON_BITS(x) IJON_SET((x) == 0 ? 0 : __builtin_clzll((unsigned long long)(x)))
#define IJON_STATE(x) ((void)IJON_PLACE_(IJON_KIND_STATE_), ijon_xor_state((uint32_t)(x)))
#define IJON_CTX(x)                                                                                                    \
  __extension__({                                                                                                      \
    uint32_t ijon_context = IJON_PLACE_(IJON_KIND_STATE_);                                                                        \
    ijon_xor_state(ijon_context);                                                                                      \
    __typeof__(x) ijon_value = (x);                                                                                    \
    ijon_xor_state(ijon_context);                                                                                      \
    ijon_value;                                                                                                        \
  })

/* The functions guide as the macros do. */
#define IJON_MARKED_(kind, call) __extension__({ IJON_MARK_(kind); call; })
#define ijon_max(place, value) IJON_MARKED_(IJON_KIND_MAX_, ijon_max(place, value))
#define ijon_min(place, value) IJON_MARKED_(IJON_KIND_MIN_, ijon_min(place, value))
#define ijon_map_set(key) IJON_MARKED_(IJON_KIND_SET_, ijon_map_set(key))
#define ijon_map_inc(key) IJON_MARKED_(IJON_KIND_INC_, ijon_map_inc(key))
#define ijon_set(place, value) IJON_MARKED_(IJON_KIND_SET_, ijon_set(place, value))
#define ijon_inc(place, value) IJON_MARKED_(IJON_KIND_INC_, ijon_inc(place, value))
#define ijon_xor_state(value) IJON_MARKED_(IJON_KIND_STATE_, ijon_xor_state(value))
#define ijon_push_state(value) IJON_MARKED_(IJON_KIND_STATE_, ijon_push_state(value))

#endif
#endif
