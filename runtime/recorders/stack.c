/* Event `stack`: the lowest address that the stack pointer had in a function.
 *
 * A slot holds 0 while the event is off, and no address is lower: being off costs a comparison. The engine sets it to the
 * highest number before a run. Only the stack on which the harness runs counts; those of threads, of signal handlers and
 * of coroutines lie elsewhere. */
#include "recorders.h"

RECORDER void waypoint_deep(uint64_t *lowest, uint64_t pointer) {
  if (UNLIKELY(pointer < *lowest) && pointer - waypoint_side.stack_start < waypoint_side.stack_size)
    *lowest = pointer;
}
