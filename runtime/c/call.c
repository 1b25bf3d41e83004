/* The call of the harness, through a frame without unwind tables: a C++ exception that nobody in the target catches
 * finds the end of the stack here, so that the C++ runtime terminates at the throw, with the whole stack still there,
 * instead of unwinding into the engine. build.rs compiles this file without the tables. */
#include <stddef.h>
#include <stdint.h>

int waypoint_call_harness(int (*test_one_input)(const uint8_t *, size_t), const uint8_t *data, size_t size) {
  int result = test_one_input(data, size);
  __asm__ volatile("" ::: "memory"); /* else the call would be a jump and this frame would not be there */
  return result;
}
