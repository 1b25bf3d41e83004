// Parses the input as comma-separated values (RFC 4180: quotes, line breaks in quotes) and sums the numbers.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct field {
  char *text;
  size_t length;
};

struct table {
  struct field *fields;
  size_t count, capacity, rows, width;
  int ragged;
};

static int add_field(struct table *table, const char *text, size_t length) {
  if (table->count == table->capacity) {
    size_t capacity = table->capacity ? table->capacity * 2 : 8;
    struct field *fields = realloc(table->fields, capacity * sizeof *fields);
    if (fields == NULL) return 0;
    table->fields = fields;
    table->capacity = capacity;
  }
  char *copy = malloc(length + 1);
  if (copy == NULL) return 0;
  memcpy(copy, text, length);
  copy[length] = '\0';
  table->fields[table->count++] = (struct field){copy, length};
  return 1;
}

// The place behind a quoted field, which is written to `out` without its quotes; NULL if it does not end.
static const char *read_quoted(const char *at, const char *end, char *out, size_t *length) {
  for (at++; at < end; at++) {
    if (*at == '"') {
      if (at + 1 == end || at[1] != '"') return at + 1;
      at++;
    }
    out[(*length)++] = *at;
  }
  return NULL;
}

static int parse(struct table *table, const char *at, const char *end, char *buffer) {
  size_t column = 0;
  while (at < end) {
    size_t length = 0;
    if (*at == '"') {
      at = read_quoted(at, end, buffer, &length);
      if (at == NULL) return 0;
      if (at < end && *at != ',' && *at != '\n' && *at != '\r') return 0;
    } else {
      while (at < end && *at != ',' && *at != '\n' && *at != '\r') {
        if (*at == '"') return 0;
        buffer[length++] = *at++;
      }
    }
    if (!add_field(table, buffer, length)) return 0;
    column++;
    if (at < end && *at == ',') {
      if (++at == end && !add_field(table, "", 0)) return 0;
      continue;
    }
    if (at + 1 < end && at[0] == '\r' && at[1] == '\n') at++;
    if (at < end) at++;
    if (table->rows++ == 0) table->width = column;
    if (column != table->width) table->ragged = 1;
    column = 0;
  }
  return 1;
}

static double sum(const struct table *table) {
  double total = 0;
  for (size_t i = 0; i < table->count; i++) {
    char *rest;
    double value = strtod(table->fields[i].text, &rest);
    if (rest != table->fields[i].text && *rest == '\0') total += value;
  }
  return total;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct table table = {0};
  char *buffer = malloc(size + 1);
  if (buffer == NULL) return 0;
  const char *text = (const char *)data;
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
  if (parse(&table, text, (const char *)data + size, buffer) && !table.ragged) {
    volatile double total = sum(&table);
    (void)total;
  }
  for (size_t i = 0; i < table.count; i++) free(table.fields[i].text);
  free(table.fields);
  free(buffer);
  return 0;
}
