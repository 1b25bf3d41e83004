/* Event `cmp`: comparisons of std::string that libstdc++ makes in its own compiled code, where nothing is recorded. */
#include "recorders.h"

/* As libstdc++ lays it out; its ABI does not change. */
struct standard_string {
  const uint8_t *bytes;
  size_t length;
};

struct part {
  const uint8_t *bytes;
  size_t length;
};

/* So many bytes of a string from a place on. */
static inline struct part part_of(const struct standard_string *string, size_t from, size_t count) {
  if (from > string->length) from = string->length; /* the method itself will throw, or find nothing */
  size_t left = string->length - from;
  return (struct part){string->bytes + from, count < left ? count : left};
}

static inline struct part other_part(const void *other, size_t length, enum waypoint_other kind) {
  if (kind == WAYPOINT_OTHER_STRING) return part_of(other, 0, SIZE_MAX);
  return (struct part){other, kind == WAYPOINT_OTHER_TEXT ? length_of(other) : length};
}

static inline uint8_t byte_at(struct part part, size_t at) { return at < part.length ? part.bytes[at] : 0; }

static inline size_t shown(struct part part, size_t at) { return at < part.length ? at + 1 : part.length; }

HELPER void waypoint_cmp_standard(struct waypoint_cmp *slot, const struct standard_string *string, size_t from,
                                  size_t count, const void *other, size_t length, enum waypoint_other kind) {
  if (slot->best == WAYPOINT_EQUAL) return;
  struct part a = part_of(string, from, count), b = other_part(other, length, kind);
  if (is_traced()) return waypoint_trace_texts(slot, a.bytes, a.length, b.bytes, b.length, SIZE_MAX, 0);
  size_t at = 0;
  while (at < a.length && at < b.length && a.bytes[at] == b.bytes[at]) ++at;
  int is_equal = at == a.length && at == b.length;
  uint32_t score = is_equal ? WAYPOINT_EQUAL : score_of(at, byte_at(a, at), byte_at(b, at));
  text(slot, score, a.bytes, shown(a, at), b.bytes, shown(b, at));
}

HELPER void waypoint_cmp_standard_find(struct waypoint_cmp *slot, const struct standard_string *string, size_t from,
                                       const void *other, size_t length, enum waypoint_other kind) {
  if (slot->best == WAYPOINT_EQUAL) return;
  struct part hay = part_of(string, from, SIZE_MAX), needle = other_part(other, length, kind);
  search(slot, hay.bytes, hay.length, needle.bytes, needle.length);
}
