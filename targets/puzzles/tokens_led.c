// PUZZLE: find crash (SIGABRT) in halted; run --learn-tokens --no-trace --runs 300000; not --no-trace --runs 300000
// A language whose words begin with a sign and are looked up by their first byte: only what begins with it is compared with them.
#include "tokens_parser.h"

static const struct entry {
  const char *text;
  enum kind kind;
} kEntries[] = {{"!when", WHEN}, {"!halt", HALT}, {"?then", THEN}, {"?end", DONE}, {";", SEMICOLON}};
enum { COUNT = sizeof kEntries / sizeof *kEntries };
static const struct entry *first[256][COUNT + 1];

static int begin(void) {
  memset(first, 0, sizeof first);
  for (int i = 0; i < COUNT; i++) {
    const struct entry **list = first[(unsigned char)kEntries[i].text[0]];
    while (*list) list++;
    *list = &kEntries[i];
  }
  return 1;
}

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

static enum kind next(void) {
  while (at < end && (*at == ' ' || *at == '\n')) at++;
  if (at == end) return END;
  for (const struct entry **entry = first[(unsigned char)*at]; *entry; entry++) {
    const size_t length = strlen((*entry)->text);
    if ((size_t)(end - at) < length || strncmp(at, (*entry)->text, length) != 0) continue;
    at += length;
    return (*entry)->kind;
  }
  if (!is_letter(*at)) return BAD;
  while (at < end && is_letter(*at)) at++;
  return NAME;
}
