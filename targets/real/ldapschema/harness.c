// Reads the input as every kind of definition that LDAP schemas have.
#include <ldap.h>
#include <ldap_schema.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// What the rest of liblber would bring.
int *ber_errno_addr(void) {
  static int number;
  return &number;
}

#define READ(kind)                                                   \
  do {                                                               \
    int code;                                                        \
    const char *where;                                               \
    ldap_##kind##_free(ldap_str2##kind(text, &code, &where, flags)); \
  } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const unsigned flags = LDAP_SCHEMA_ALLOW_ALL;
  char *text = malloc(size + 1);
  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  READ(syntax);
  READ(matchingrule);
  READ(matchingruleuse);
  READ(attributetype);
  READ(objectclass);
  READ(contentrule);
  READ(structurerule);
  READ(nameform);
  free(text);
  return 0;
}
