// Prepares each statement of the input by SQLite, for a database with one table, and runs none.
#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// Some pragmas do what they say as they are prepared: they are parsed only.
static int allow(void *data, int action, const char *a, const char *b, const char *c, const char *d) {
  (void)data, (void)a, (void)b, (void)c, (void)d;
  return action == SQLITE_PRAGMA ? SQLITE_DENY : SQLITE_OK;
}

static sqlite3 *database;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  if (sqlite3_open(":memory:", &database) != SQLITE_OK) abort();
  sqlite3_exec(database, "CREATE TABLE t(a, b)", NULL, NULL, NULL);
  sqlite3_set_authorizer(database, allow, NULL);
  sqlite3_limit(database, SQLITE_LIMIT_VDBE_OP, 25000);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *text = (const char *)data, *end = text + size;
  while (text < end) {
    sqlite3_stmt *statement = NULL;
    const char *rest = end;
    const int code = sqlite3_prepare_v2(database, text, (int)(end - text), &statement, &rest);
    sqlite3_finalize(statement);
    if (code != SQLITE_OK || rest <= text) break;
    text = rest;
  }
  return 0;
}
