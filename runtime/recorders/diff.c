/* Event `diff`: the transitions from one counter of a function to the next, from a changed line on.
 *
 * These stand in a version of a function that runs only while the event is switched on. Every transition has a slot that
 * counts downwards, so that the subtraction itself tells the first time. Only then is it asked whether the counter stands
 * for a changed line: the first time that a line is reached is the first time of the transition that leads there. */
#include "recorders.h"

/* Drops all that was recorded so far. The list keeps its beginning: what another thread is about to write there is
 * reset with the rest after the run. */
static inline void reach(struct waypoint_transitions *of) {
  uint32_t n = __atomic_load_n(&of->touched.n, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < n && i < of->touched.capacity; ++i)
    if (of->touched.slots[i]) *(uint32_t *)of->touched.slots[i] = 0;
  of->from = n;
  of->reached = 1;
}

HELPER __attribute__((preserve_most, cold)) void waypoint_transition_new(uint32_t *slot, const uint32_t *counter) {
  struct waypoint_transitions *of = &waypoint_side.run->transitions;
  if (!of->reached && waypoint_side.changed && waypoint_side.changed[counter - waypoint_side.counters]) {
    reach(of);
    *slot = UINT32_MAX;
  }
  touch(&of->touched, slot);
}

RECORDER void waypoint_transition(uint32_t *slot, const uint32_t *counter) {
  if (UNLIKELY((*slot)-- == 0)) waypoint_transition_new(slot, counter);
}
