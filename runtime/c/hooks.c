/* The optional functions of a harness, as addresses that are null when the harness lacks them (Rust has no weak
 * symbols). Declared, not defined, here: a harness keeps every definition. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#define OPTIONAL __attribute__((weak, visibility("default")))

OPTIONAL int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
OPTIONAL int LLVMFuzzerInitialize(int *argc, char ***argv);
OPTIONAL size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
OPTIONAL size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                          uint8_t *out, size_t max_out_size, unsigned int seed);
OPTIONAL void __sanitizer_set_death_callback(void (*callback)(void));

struct waypoint_hooks {
  int (*test_one_input)(const uint8_t *, size_t);
  int (*initialize)(int *, char ***);
  size_t (*custom_mutator)(uint8_t *, size_t, size_t, unsigned int);
  size_t (*custom_crossover)(const uint8_t *, size_t, const uint8_t *, size_t, uint8_t *, size_t, unsigned int);
  void (*asan)(void);
  void (*sanitizer)(void (*)(void));
  int (*asan_has_report)(void);
  const char *(*asan_report)(void);
};

/* Called first when there is one thread only. AddressSanitizer's functions are looked up by name, because tools take
 * every program with an `__asan` in its symbol table for one that was built with it. */
const struct waypoint_hooks *waypoint_hooks(void) {
  static struct waypoint_hooks hooks;
  static int known;
  if (known) return &hooks;
  hooks = (struct waypoint_hooks){
      LLVMFuzzerTestOneInput,
      LLVMFuzzerInitialize,
      LLVMFuzzerCustomMutator,
      LLVMFuzzerCustomCrossOver,
      (void (*)(void))dlsym(RTLD_DEFAULT, "__asan_init"),
      __sanitizer_set_death_callback,
      (int (*)(void))dlsym(RTLD_DEFAULT, "__asan_report_present"),
      (const char *(*)(void))dlsym(RTLD_DEFAULT, "__asan_get_report_description"),
  };
  known = 1;
  return &hooks;
}
