/* What a harness may use of Waypoint; `waypoint-cc` finds this header without -I.
 *
 * The functions are libFuzzer's, so that one harness serves both. All but LLVMFuzzerTestOneInput are optional. */
#ifndef WAYPOINT_H
#define WAYPOINT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the code under test once. Return 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Called once in every worker before the first run. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Replaces the built-in mutators: changes `data` in place, returns the new size (at most `max_size`). */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Joins two inputs into `out`, returns its size (at most `max_out_size`). */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1, const uint8_t *data2, size_t size2, uint8_t *out,
                                 size_t max_out_size, unsigned int seed);

/* Provided by Waypoint, for use inside LLVMFuzzerCustomMutator: one built-in mutation. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Provided by Waypoint, for programs with their own `main`: fuzzes `callback` with the command line's options. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

#ifdef __cplusplus
}
#endif

#endif
