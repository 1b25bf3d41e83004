/* `main` alone in its archive member, so that a harness with its own `main` (which calls LLVMFuzzerRunDriver) links. */
#include <stddef.h>
#include <stdint.h>

extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test_one_input)(const uint8_t *, size_t));

int main(int argc, char **argv) { return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput); }
