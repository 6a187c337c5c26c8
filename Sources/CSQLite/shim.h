#include <sqlite3.h>

// Binds bytes that do not move while the statement runs. If there are none, their address may be null, which would bind
// NULL.
static inline void csqlite_bind_text(sqlite3_stmt *s, int i, const void *bytes, long start, long length) {
  sqlite3_bind_text64(s, i, length ? (const char *)bytes + start : "", (sqlite3_uint64)length, SQLITE_STATIC, SQLITE_UTF8);
}
static inline void csqlite_bind_blob(sqlite3_stmt *s, int i, const void *bytes, long start, long length) {
  sqlite3_bind_blob64(s, i, length ? (const char *)bytes + start : "", (sqlite3_uint64)length, SQLITE_STATIC);
}
