#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast inside a macro, which Swift does not import.
static inline int csqlite_bind_text(sqlite3_stmt *s, int i, const char *text, int length) {
  // A null pointer would bind NULL, and an empty Swift string may have one.
  return sqlite3_bind_text(s, i, text ? text : "", length, SQLITE_TRANSIENT);
}
static inline int csqlite_bind_blob(sqlite3_stmt *s, int i, const void *bytes, int length) {
  // A null pointer would bind NULL; an empty blob is not NULL.
  return length == 0 ? sqlite3_bind_zeroblob(s, i, 0)
                     : sqlite3_bind_blob(s, i, bytes, length, SQLITE_TRANSIENT);
}
