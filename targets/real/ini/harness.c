// Parses the input as an INI file (sections, keys, comments, continued lines, quotes) and asks for a few settings.
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { kNameLimit = 64 };

struct setting {
  struct setting *next;
  char section[kNameLimit], key[kNameLimit];
  char *value;
};

static void trim(char **start, char **end) {
  while (*start < *end && isspace((unsigned char)**start)) ++*start;
  while (*end > *start && isspace((unsigned char)(*end)[-1])) --*end;
}

static int copy_name(char *out, const char *start, const char *end) {
  size_t length = (size_t)(end - start);
  if (length == 0 || length >= kNameLimit) return 0;
  for (size_t i = 0; i < length; i++) out[i] = (char)tolower((unsigned char)start[i]);
  out[length] = '\0';
  return 1;
}

static char *copy_value(char *start, char *end) {
  trim(&start, &end);
  if (end - start >= 2 && *start == '"' && end[-1] == '"') {
    start++;
    end--;
  } else {
    for (char *at = start; at < end; at++) {
      if ((*at == ';' || *at == '#') && at > start && isspace((unsigned char)at[-1])) end = at;
    }
    trim(&start, &end);
  }
  char *value = malloc((size_t)(end - start) + 1);
  if (value == NULL) return NULL;
  memcpy(value, start, (size_t)(end - start));
  value[end - start] = '\0';
  return value;
}

// Whether the line was understood.
static int parse_line(struct setting **settings, char *section, char *start, char *end) {
  trim(&start, &end);
  if (start == end || *start == ';' || *start == '#') return 1;
  if (*start == '[') {
    if (end[-1] != ']') return 0;
    return copy_name(section, start + 1, end - 1);
  }
  char *equals = memchr(start, '=', (size_t)(end - start));
  if (equals == NULL) equals = memchr(start, ':', (size_t)(end - start));
  if (equals == NULL) return 0;
  struct setting *setting = calloc(1, sizeof *setting);
  if (setting == NULL) return 0;
  char *name_end = equals, *name = start;
  trim(&name, &name_end);
  strcpy(setting->section, section);
  setting->value = copy_value(equals + 1, end);
  setting->next = *settings;
  *settings = setting;
  return setting->value != NULL && copy_name(setting->key, name, name_end);
}

static const char *find(const struct setting *settings, const char *section, const char *key) {
  for (; settings != NULL; settings = settings->next) {
    if (strcmp(settings->section, section) == 0 && strcmp(settings->key, key) == 0) return settings->value;
  }
  return NULL;
}

static int truth(const char *value) {
  if (value == NULL) return -1;
  if (strcmp(value, "yes") == 0 || strcmp(value, "true") == 0 || strcmp(value, "on") == 0) return 1;
  if (strcmp(value, "no") == 0 || strcmp(value, "false") == 0 || strcmp(value, "off") == 0) return 0;
  return -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1), section[kNameLimit] = "global";
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = '\n';
  struct setting *settings = NULL;
  char *line = text, *out = text;
  int good = 1;
  for (char *at = text; good && at <= text + size; at++) {
    if (*at == '\\' && at < text + size && at[1] == '\n') {
      at++;  // the line goes on
    } else if (*at == '\n') {
      good = parse_line(&settings, section, line, out);
      line = out = at + 1;
    } else {
      *out++ = *at;
    }
  }
  volatile long level = 0;
  if (good && truth(find(settings, "server", "enabled")) == 1) {
    const char *port = find(settings, "server", "port");
    if (port != NULL) level = strtol(port, NULL, 0);
    if (truth(find(settings, "log", "verbose")) == 0) level++;
  }
  (void)level;
  while (settings != NULL) {
    struct setting *next = settings->next;
    free(settings->value);
    free(settings);
    settings = next;
  }
  free(text);
  return 0;
}
