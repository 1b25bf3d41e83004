/* Event `cmp`: how close a comparison came.
 *
 * These stand in the second version of a function, which runs only while the event is switched on, so nothing here asks
 * whether it is. The fast path is a score and a look at the best one; what follows an improvement is rare. */
#include "recorders.h"

/* A place for a comparison of a traced run; null if there is none left, or if this slot has had its share. While a run
 * is traced `reserved` counts what a slot has noted down. */
enum { NUMBERS_TRACED = 32, TEXTS_TRACED = 96 };

static inline struct waypoint_traced *traced(struct waypoint_cmp *slot, uint32_t share) {
  struct waypoint_run *run = waypoint_side.run;
  if (!slot->reserved) touch(&run->cmps, slot);
  if (++slot->reserved > share) {
    slot->best = WAYPOINT_EQUAL; /* nothing is better: it has its peace */
    return 0;
  }
  uint32_t at = __atomic_fetch_add(&run->n_traced, 1, __ATOMIC_RELAXED);
  if (at >= run->traced_capacity) return 0;
  run->traced[at].slot = slot;
  return &run->traced[at];
}

HELPER __attribute__((cold)) void waypoint_trace_numbers(struct waypoint_cmp *slot, uint64_t a, uint64_t b) {
  if (slot->reserved && slot->a == a && slot->b == b) return;
  slot->a = a;
  slot->b = b;
  struct waypoint_traced *entry = traced(slot, NUMBERS_TRACED);
  if (!entry) return;
  entry->lengths[0] = entry->lengths[1] = 0;
  __builtin_memcpy(entry->sides[0], &a, sizeof a);
  __builtin_memcpy(entry->sides[1], &b, sizeof b);
}

/* How many bytes of a text can be read for sure: what the target itself reads, and the rest of the page that ends in. */
static inline size_t readable(const uint8_t *text, size_t read) {
  const size_t page = 4096;
  return read + (page - 1 - ((uintptr_t)(text + (read ? read - 1 : 0)) & (page - 1)));
}

static inline uint8_t copy_side(uint8_t *to, const uint8_t *text, size_t read, size_t limit, int is_string) {
  size_t sure = readable(text, read), length = 0;
  if (limit > sure) limit = sure;
  if (limit > WAYPOINT_TRACED_TEXT) limit = WAYPOINT_TRACED_TEXT;
  while (length < limit && (!is_string || text[length])) {
    to[length] = text[length];
    ++length;
  }
  return (uint8_t)length;
}

/* `read` is how many bytes of both the target looks at, `limits` how long they are at most. */
HELPER __attribute__((cold)) void waypoint_trace_texts(struct waypoint_cmp *slot, const uint8_t *a, size_t a_limit,
                                                       const uint8_t *b, size_t b_limit, size_t read, int is_string) {
  struct waypoint_traced *entry = traced(slot, TEXTS_TRACED);
  if (!entry) return;
  entry->lengths[0] = copy_side(entry->sides[0], a, read < a_limit ? read : a_limit, a_limit, is_string);
  entry->lengths[1] = copy_side(entry->sides[1], b, read < b_limit ? read : b_limit, b_limit, is_string);
}

static inline int is_traced(void) { return waypoint_side.run->traced_capacity != 0; }

static inline void improve(struct waypoint_cmp *slot, uint32_t score, uint64_t a, uint64_t b) {
  if (!slot->best) touch(&waypoint_side.run->cmps, slot);
  slot->best = score;
  slot->a = a;
  slot->b = b;
}

/* The best score so far of two numbers; 64 says that they are equal. Calling it costs few registers, so that the fast
 * path stays fast. */
HELPER __attribute__((preserve_most, cold)) void waypoint_cmp_better(struct waypoint_cmp *slot, uint32_t score,
                                                                     uint64_t a, uint64_t b) {
  if (is_traced()) return waypoint_trace_numbers(slot, a, b);
  improve(slot, score == 64 ? WAYPOINT_EQUAL : score, a, b);
}

/* `==` and `!=` of integers: the more equal bits the closer. */
RECORDER void waypoint_cmp_equality(struct waypoint_cmp *slot, uint64_t a, uint64_t b) {
  uint32_t score = (uint32_t)__builtin_popcountll(~(a ^ b));
  if (UNLIKELY(score > slot->best)) waypoint_cmp_better(slot, score, a, b);
}

/* `<` and its like: the smaller the distance the closer. Signed operands come with their sign bit flipped. */
RECORDER void waypoint_cmp_order(struct waypoint_cmp *slot, uint64_t a, uint64_t b) {
  uint64_t distance = a > b ? a - b : b - a;
  uint32_t score = distance ? (uint32_t)__builtin_clzll(distance) : 64;
  if (UNLIKELY(score > slot->best)) waypoint_cmp_better(slot, score, a, b);
}

/* A number such that closer floating-point values have closer numbers. */
static inline uint64_t rank(double value) {
  uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

HELPER void waypoint_cmp_float(struct waypoint_cmp *slot, double a, double b) {
  if ((a != a || b != b) && !is_traced()) return; /* not a number: neither near nor far */
  uint64_t left = rank(a), right = rank(b), distance = left > right ? left - right : right - left;
  uint32_t score = a == b ? 64 : distance ? (uint32_t)__builtin_clzll(distance) : 63;
  __builtin_memcpy(&left, &a, sizeof left);
  __builtin_memcpy(&right, &b, sizeof right);
  if (is_traced()) return waypoint_trace_numbers(slot, left, right);
  if (score > slot->best) waypoint_cmp_better(slot, score, left, right);
}

struct waypoint_cases {
  uint64_t count;
  uint64_t values[];
};

/* How a value stands at its place of `seen`. The bits that say which place it is need not be kept; set, they tell any
 * value from a place that none has taken yet. */
static inline uint64_t mark(uint64_t value) { return value | (WAYPOINT_SWITCH_SEEN - 1); }

HELPER __attribute__((preserve_most, cold)) void waypoint_switch_new(struct waypoint_switch *site, uint64_t value,
                                                                     const struct waypoint_cases *cases,
                                                                     struct waypoint_cmp *slots) {
  if (!site->touched) {
    site->touched = 1;
    touch(&waypoint_side.run->switches, site);
  }
  site->seen[value % WAYPOINT_SWITCH_SEEN] = mark(value);
  for (uint64_t i = 0; i < cases->count; ++i) waypoint_cmp_equality(&slots[i], value, cases->values[i]);
}

RECORDER void waypoint_cmp_switch(struct waypoint_switch *site, uint64_t value, const struct waypoint_cases *cases,
                                  struct waypoint_cmp *slots) {
  if (UNLIKELY(site->seen[value % WAYPOINT_SWITCH_SEEN] != mark(value)))
    waypoint_switch_new(site, value, cases, slots);
}

/* Texts. Nothing is read behind the first difference: the function we watch may not read it either. */

static inline uint8_t fold(uint8_t c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; }

/* The first bytes of a text, as far as it goes. */
static inline uint64_t head(const uint8_t *text, size_t length) {
  uint64_t word = 0;
  for (size_t i = 0; i < length && i < sizeof word; ++i) word |= (uint64_t)text[i] << 8 * i;
  return word;
}

static inline uint32_t score_of(size_t equal_bytes, uint8_t a, uint8_t b) {
  uint32_t bytes = equal_bytes > (1u << 24) ? 1u << 24 : (uint32_t)equal_bytes;
  return 1 + 8 * bytes + (uint32_t)__builtin_popcount((uint8_t) ~(a ^ b));
}

static inline void text(struct waypoint_cmp *slot, uint32_t score, const uint8_t *a, size_t a_length, const uint8_t *b,
                        size_t b_length) {
  if (score > slot->best) improve(slot, score, head(a, a_length), head(b, b_length));
}

HELPER void waypoint_memory(struct waypoint_cmp *slot, const uint8_t *a, const uint8_t *b, size_t length) {
  size_t at = 0;
  while (at < length && a[at] == b[at]) ++at;
  if (is_traced()) return waypoint_trace_texts(slot, a, length, b, length, at == length ? at : at + 1, 0);
  if (at == length)
    text(slot, WAYPOINT_EQUAL, a, at, b, at);
  else
    text(slot, score_of(at, a[at], b[at]), a, at + 1, b, at + 1);
}

static inline void strings(struct waypoint_cmp *slot, const uint8_t *a, const uint8_t *b, size_t limit, int folded) {
  for (size_t at = 0; at < limit; ++at) {
    uint8_t left = folded ? fold(a[at]) : a[at], right = folded ? fold(b[at]) : b[at];
    if (left != right) {
      if (is_traced()) return waypoint_trace_texts(slot, a, limit, b, limit, at + 1, 1);
      return text(slot, score_of(at, left, right), a, at + 1, b, at + 1);
    }
    if (!left) {
      limit = at;
      break;
    }
  }
  if (is_traced()) return waypoint_trace_texts(slot, a, limit, b, limit, limit, 1);
  text(slot, WAYPOINT_EQUAL, a, limit, b, limit);
}

HELPER void waypoint_strings(struct waypoint_cmp *slot, const uint8_t *a, const uint8_t *b, size_t limit) {
  strings(slot, a, b, limit, 0);
}

HELPER void waypoint_strings_folded(struct waypoint_cmp *slot, const uint8_t *a, const uint8_t *b, size_t limit) {
  strings(slot, a, b, limit, 1);
}

/* Whether two texts could come closer than any two before, by their first bytes. Only called if both have one. */
static inline int is_promising(const struct waypoint_cmp *slot, const uint8_t *a, const uint8_t *b, int folded) {
  const uint32_t best_without_first_byte = 1 + 7;
  if (slot->best == WAYPOINT_EQUAL) return 0;
  return slot->best < best_without_first_byte || (folded ? fold(*a) == fold(*b) : *a == *b);
}

RECORDER void waypoint_cmp_memory(struct waypoint_cmp *slot, const uint8_t *a, const uint8_t *b, size_t length) {
  if (length && is_promising(slot, a, b, 0)) waypoint_memory(slot, a, b, length);
}

RECORDER void waypoint_cmp_string(struct waypoint_cmp *slot, const uint8_t *a, const uint8_t *b) {
  if (is_promising(slot, a, b, 0)) waypoint_strings(slot, a, b, SIZE_MAX);
}

RECORDER void waypoint_cmp_string_n(struct waypoint_cmp *slot, const uint8_t *a, const uint8_t *b, size_t limit) {
  if (limit && is_promising(slot, a, b, 0)) waypoint_strings(slot, a, b, limit);
}

RECORDER void waypoint_cmp_string_case(struct waypoint_cmp *slot, const uint8_t *a, const uint8_t *b) {
  if (is_promising(slot, a, b, 1)) waypoint_strings_folded(slot, a, b, SIZE_MAX);
}

RECORDER void waypoint_cmp_string_case_n(struct waypoint_cmp *slot, const uint8_t *a, const uint8_t *b, size_t limit) {
  if (limit && is_promising(slot, a, b, 1)) waypoint_strings_folded(slot, a, b, limit);
}

/* The longest beginning of `needle` that is somewhere in `hay`. */
static inline void search(struct waypoint_cmp *slot, const uint8_t *hay, size_t hay_length, const uint8_t *needle,
                          size_t length) {
  if (!length) return;
  if (is_traced()) return waypoint_trace_texts(slot, hay, hay_length, needle, length, SIZE_MAX, 0);
  for (size_t from = 0; from < hay_length && slot->best != WAYPOINT_EQUAL; ++from) {
    size_t left = hay_length - from, at = 0;
    while (at < length && at < left && hay[from + at] == needle[at]) ++at;
    size_t shown = left < 8 ? left : 8;
    if (at == length)
      text(slot, WAYPOINT_EQUAL, hay + from, shown, needle, length);
    else
      text(slot, score_of(at, at < left ? hay[from + at] : 0, needle[at]), hay + from, shown, needle, length);
  }
}

static inline size_t length_of(const uint8_t *text) {
  size_t length = 0;
  while (text[length]) ++length;
  return length;
}

HELPER void waypoint_cmp_strstr(struct waypoint_cmp *slot, const uint8_t *hay, const uint8_t *needle) {
  if (slot->best != WAYPOINT_EQUAL) search(slot, hay, length_of(hay), needle, length_of(needle));
}

HELPER void waypoint_cmp_memmem(struct waypoint_cmp *slot, const uint8_t *hay, size_t hay_length, const uint8_t *needle,
                                size_t length) {
  if (slot->best != WAYPOINT_EQUAL) search(slot, hay, hay_length, needle, length);
}
