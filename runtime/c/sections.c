/* The sections in which a harness made for another fuzzer leaves what it has to say, as that fuzzer finds them. Empty
 * where the program has none. */
#include <stddef.h>
#include <stdint.h>

#define SECTION(type, name)                                                                                            \
  extern type __start_##name[] __attribute__((weak, visibility("hidden")));                                            \
  extern type __stop_##name[] __attribute__((weak, visibility("hidden")))

SECTION(uint8_t, __libfuzzer_extra_counters);
SECTION(uint64_t, __centipede_extra_features);
SECTION(const uint8_t, waypoint_ijon);

struct waypoint_sections {
  uint8_t *extra_counters, *extra_counters_stop;
  uint64_t *extra_features, *extra_features_stop;
  const uint8_t *ijon, *ijon_stop;
};

struct waypoint_sections waypoint_sections(void) {
  return (struct waypoint_sections){
      __start___libfuzzer_extra_counters, __stop___libfuzzer_extra_counters,
      __start___centipede_extra_features, __stop___centipede_extra_features,
      __start_waypoint_ijon,              __stop_waypoint_ijon,
  };
}
