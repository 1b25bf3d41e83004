// Reads the input as a configuration of ALSA, which is not evaluated.
#include <alsa/asoundlib.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

// In place of the library's own: no input reads a file.
int snd_input_stdio_open(snd_input_t **input, const char *file, const char *mode) {
  (void)input, (void)file, (void)mode;
  return -ENOENT;
}

// What only an evaluation calls.
int snd_card_next(int *card) { return (void)card, -ENOENT; }
int snd_config_get_bool(const snd_config_t *config) { return (void)config, -EINVAL; }
int snd_determine_driver(int card, char **driver) { return (void)card, (void)driver, -ENOENT; }

static void ignore(const char *file, int line, const char *function, int err, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)err, (void)format;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  snd_config_t *config;
  snd_input_t *input;
  snd_lib_error_set_handler(ignore);
  if (snd_config_top(&config) < 0) return 0;
  if (snd_input_buffer_open(&input, (const char *)data, (ssize_t)size) == 0) {
    snd_config_load(config, input);
    snd_input_close(input);
  }
  snd_config_delete(config);
  return 0;
}
