/* FuzzFactory's macros for domains of a target's own, as calls of what waypoint.h has. `--domain NAME` enables one.
 *
 * As there, a key is taken modulo the number of keys, and values have 32 bits. */
#ifndef WAYPOINT_WAYPOINTS_H
#define WAYPOINT_WAYPOINTS_H

#include "waypoint.h"

enum fuzzfactory_reducer {
  FUZZFACTORY_REDUCER_MAX,
  FUZZFACTORY_REDUCER_MIN,
  FUZZFACTORY_REDUCER_LOG_BUCKET,
  FUZZFACTORY_REDUCER_BIT_UNION,
  FUZZFACTORY_REDUCER_BIT_INTERSECT
};

#ifdef __cplusplus
extern "C" {
#endif

WAYPOINT_UNCOUNTED static inline dsf_t fuzzfactory_new(const char *name, size_t keys, enum fuzzfactory_reducer reducer,
                                                       uint32_t initial) {
  dsf_reducer reduce = dsf_max;
  switch (reducer) {
    case FUZZFACTORY_REDUCER_MAX: reduce = dsf_max; break;
    case FUZZFACTORY_REDUCER_MIN: reduce = dsf_min; break;
    case FUZZFACTORY_REDUCER_LOG_BUCKET: reduce = dsf_log_union; break;
    case FUZZFACTORY_REDUCER_BIT_UNION: reduce = dsf_bit_union; break;
    case FUZZFACTORY_REDUCER_BIT_INTERSECT: reduce = dsf_bit_intersection; break;
  }
  return dsf_new_domain(name, keys, reduce, initial);
}
WAYPOINT_UNCOUNTED static inline size_t fuzzfactory_key(dsf_t domain, uint32_t key) {
  return domain ? key % WAYPOINT_DSF->keys(domain) : 0;
}

#ifdef __cplusplus
}
#endif

/* At the outermost level of a source file. */
#define FUZZFACTORY_DSF_NEW(name, keys, reducer, initial)                                                              \
  dsf_t name;                                                                                                          \
  WAYPOINT_UNCOUNTED __attribute__((constructor)) static void fuzzfactory_new_##name(void) {                           \
    name = fuzzfactory_new(#name, (keys), (reducer), (initial));                                                       \
  }
#define FUZZFACTORY_DSF_MAX(name, key, value) dsf_maximize((name), fuzzfactory_key((name), (key)), (uint32_t)(value))
#define FUZZFACTORY_DSF_BIT(name, key, value) dsf_union((name), fuzzfactory_key((name), (key)), (uint32_t)(value))
#define FUZZFACTORY_DSF_SET(name, key, value) dsf_set((name), fuzzfactory_key((name), (key)), (uint32_t)(value))
#define FUZZFACTORY_DSF_INC(name, key, value) dsf_increment((name), fuzzfactory_key((name), (key)), (uint32_t)(value))

#endif
