// The limit with the daemon's promises: the same steps, in C, on two threads, and nothing else.
//
//   raw-promised ZONE BOX STATE            as with Durable=no
//   raw-promised ZONE BOX STATE durable    as with Durable=yes
//
// It opens each file so that only regular files are opened, checks its lease, commits its row, and renames it, under a
// lease, into a hold beside the box. There it determines the type and the digest. It commits the verdict before it renames
// the file to its place, and the receipt after that. Files that arrive together, at most 256, share commits and syncs. A
// file that arrives alone is placed by the thread that claimed it. The program does not recover from anything, and exits
// as soon as anything unusual happens.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <magic.h>
#include <openssl/evp.h>
#include <poll.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { together = 256, waiting_batches = 4, few = 16 };

struct file {
  char name[64], id[27];
  int file;
  struct stat status;
  const char *type;
  char digest[65];
};

struct batch {
  struct batch *next;
  int count, is_placed;
  struct file files[together];
};

static int zone, box, hold, durable;
static sqlite3 *ledger;
static sqlite3_stmt *begin, *commit, *claiming, *placing, *receipt, *done;
static pthread_mutex_t ledger_lock = PTHREAD_MUTEX_INITIALIZER, queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queue_changed = PTHREAD_COND_INITIALIZER;
static struct batch *first, **last = &first;
static int queued;
static char (*names)[64];
static size_t names_next, names_end;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void run(sqlite3_stmt *statement) {
  if (sqlite3_step(statement) != SQLITE_DONE) {
    fprintf(stderr, "ledger: %s\n", sqlite3_errmsg(ledger));
    exit(1);
  }
  sqlite3_reset(statement);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(ledger, sql, -1, &statement, NULL) != SQLITE_OK) {
    fprintf(stderr, "ledger: %s\n", sqlite3_errmsg(ledger));
    exit(1);
  }
  return statement;
}

static void open_ledger(const char *path) {
  if (sqlite3_open(path, &ledger) != SQLITE_OK) fail(path);
  sqlite3_exec(ledger, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL", NULL, NULL, NULL);
  sqlite3_exec(ledger,
               "CREATE TABLE drops(id TEXT PRIMARY KEY, location BLOB, state TEXT, inode INTEGER, size INTEGER,"
               " modified INTEGER, type TEXT, sha256 TEXT) WITHOUT ROWID;"
               "CREATE TABLE receipts(sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT, location BLOB, bytes INTEGER,"
               " sha256 TEXT, type TEXT, outcome TEXT, finished INTEGER);"
               "CREATE INDEX receiptsById ON receipts(id)",
               NULL, NULL, NULL);
  begin = prepare("BEGIN IMMEDIATE");
  commit = prepare("COMMIT");
  claiming = prepare("INSERT INTO drops VALUES(?,?,'claiming',?,?,?,NULL,NULL)");
  placing = prepare("UPDATE drops SET state = 'placing', type = ?, sha256 = ? WHERE id = ?");
  receipt = prepare("INSERT INTO receipts VALUES(NULL,?,?,?,?,?,'delivered',?)");
  done = prepare("DELETE FROM drops WHERE id = ?");
}

static void text(sqlite3_stmt *statement, int place, const char *bytes) {
  sqlite3_bind_text(statement, place, bytes, -1, SQLITE_STATIC);
}

static void write_rows(struct batch *batch, void (*row)(struct file *)) {
  pthread_mutex_lock(&ledger_lock);
  run(begin);
  for (int i = 0; i < batch->count; i++) row(&batch->files[i]);
  run(commit);
  pthread_mutex_unlock(&ledger_lock);
}

static void write_claim(struct file *file) {
  text(claiming, 1, file->id);
  text(claiming, 2, file->name);
  sqlite3_bind_int64(claiming, 3, (sqlite3_int64)file->status.st_ino);
  sqlite3_bind_int64(claiming, 4, file->status.st_size);
  sqlite3_bind_int64(claiming, 5, file->status.st_mtim.tv_sec);
  run(claiming);
}

static void write_intent(struct file *file) {
  text(placing, 1, file->type);
  text(placing, 2, file->digest);
  text(placing, 3, file->id);
  run(placing);
}

static void write_receipt(struct file *file) {
  text(receipt, 1, file->id);
  text(receipt, 2, file->name);
  sqlite3_bind_int64(receipt, 3, file->status.st_size);
  text(receipt, 4, file->digest);
  text(receipt, 5, file->type);
  sqlite3_bind_int64(receipt, 6, time(NULL));
  run(receipt);
  text(done, 1, file->id);
  run(done);
}

static void lease(int file, int kind) {
  if (fcntl(file, F_SETLEASE, kind) != 0) fail("lease");
}

// Opens only a regular file that has no writer.
static int open_file(struct file *file) {
  char path[32];
  int there = openat(zone, file->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (there < 0 && errno == ENOENT) return 0;
  if (there < 0 || fstat(there, &file->status) != 0 || !S_ISREG(file->status.st_mode)) fail(file->name);
  snprintf(path, sizeof path, "/proc/self/fd/%d", there);
  if ((file->file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)) < 0) fail(file->name);
  close(there);
  lease(file->file, F_RDLCK);
  lease(file->file, F_UNLCK);
  return 1;
}

static void claim(struct batch *batch) {
  struct stat held;
  write_rows(batch, write_claim);
  for (int i = 0; i < batch->count; i++) {
    struct file *file = &batch->files[i];
    lease(file->file, F_RDLCK);
    if (fstat(file->file, &file->status) != 0) fail(file->name);
    if (renameat2(zone, file->name, hold, file->id, RENAME_NOREPLACE) != 0) fail(file->name);
    if (fstatat(hold, file->id, &held, AT_SYMLINK_NOFOLLOW) != 0 || held.st_ino != file->status.st_ino) fail(file->id);
    if (fcntl(file->file, F_GETLEASE) != F_RDLCK) fail(file->name);
    lease(file->file, F_UNLCK);
  }
}

static void look(struct file *file) {
  static magic_t magic;
  static char guessed[256];
  unsigned char head[4096], digest[EVP_MAX_MD_SIZE];
  unsigned length;
  struct stat status;
  ssize_t count = pread(file->file, head, sizeof head, 0);
  if (count < 0) fail(file->name);
  if (!magic && (!(magic = magic_open(MAGIC_MIME_TYPE)) || magic_load(magic, NULL) != 0)) fail("libmagic");
  // Like the daemon, use the content rules for text, and libmagic for everything else.
  if (memchr(head, 0, (size_t)count)) {
    file->type = magic_buffer(magic, head, (size_t)count);
  } else {
    char *type = g_content_type_guess(NULL, head, (gsize)count, NULL);
    snprintf(guessed, sizeof guessed, "%s", type);
    g_free(type);
    file->type = guessed;
  }
  file->type = g_intern_string(file->type);
  EVP_Digest(head, (size_t)count, digest, &length, EVP_sha256(), NULL);
  for (unsigned i = 0; i < 32; i++)
    file->digest[2 * i] = "0123456789abcdef"[digest[i] >> 4], file->digest[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
  // The file must be unchanged and have no writer since then, and its name must be free.
  lease(file->file, F_RDLCK);
  lease(file->file, F_UNLCK);
  if (fstatat(hold, file->id, &status, AT_SYMLINK_NOFOLLOW) != 0 || status.st_ino != file->status.st_ino) fail(file->id);
  if (fstatat(box, file->name, &status, AT_SYMLINK_NOFOLLOW) == 0 || errno != ENOENT) fail(file->name);
}

static void place(struct batch *batch) {
  for (int i = 0; i < batch->count; i++) look(&batch->files[i]);
  write_rows(batch, write_intent);
  if (durable && batch->count > few && syncfs(batch->files[0].file) != 0) fail("sync");
  for (int i = 0; i < batch->count; i++) {
    struct file *file = &batch->files[i];
    if (durable && batch->count <= few && fsync(file->file) != 0) fail(file->name);
    if (renameat2(hold, file->id, box, file->name, RENAME_NOREPLACE) != 0) fail(file->name);
  }
  batch->is_placed = 1;
}

static void finish(struct batch *batch) {
  if (durable && (fsync(box) != 0 || fsync(hold) != 0)) fail("sync");
  write_rows(batch, write_receipt);
  for (int i = 0; i < batch->count; i++) {
    close(batch->files[i].file);
    dprintf(2, "%s delivered to the box as %s, %lld bytes\n", batch->files[i].name, batch->files[i].type,
            (long long)batch->files[i].status.st_size);
  }
  free(batch);
}

static void *place_all(void *unused) {
  for (;;) {
    pthread_mutex_lock(&queue_lock);
    while (!first) pthread_cond_wait(&queue_changed, &queue_lock);
    struct batch *batch = first;
    if (!(first = batch->next)) last = &first;
    pthread_mutex_unlock(&queue_lock);
    if (!batch->is_placed) place(batch);
    finish(batch);
    pthread_mutex_lock(&queue_lock);
    queued--;
    pthread_cond_signal(&queue_changed);
    pthread_mutex_unlock(&queue_lock);
  }
  return unused;
}

static int can_take(void) {
  pthread_mutex_lock(&queue_lock);
  int can = queued < waiting_batches;
  pthread_mutex_unlock(&queue_lock);
  return can;
}

static void take(struct batch *batch) {
  pthread_mutex_lock(&queue_lock);
  int is_alone = batch->count == 1 && (!first || first->is_placed);
  pthread_mutex_unlock(&queue_lock);
  claim(batch);
  if (is_alone) place(batch);
  pthread_mutex_lock(&queue_lock);
  batch->next = NULL;
  *last = batch, last = &batch->next;
  queued++;
  pthread_cond_signal(&queue_changed);
  pthread_mutex_unlock(&queue_lock);
}

// Reads the kernel's queue even if there is no room for another batch yet.
static void listen_for_names(int queue, int timeout) {
  static char events[1 << 16] __attribute__((aligned(8)));
  static size_t room;
  struct pollfd ready = {queue, POLLIN, 0};
  if (poll(&ready, 1, timeout) == 0) return;
  ssize_t length = read(queue, events, sizeof events);
  if (length < 0) fail("read");
  for (char *next = events; next < events + length;) {
    struct inotify_event *event = (struct inotify_event *)next;
    if (event->mask & IN_Q_OVERFLOW) fail("overflow");
    if (names_end == room && !(names = realloc(names, (room = 2 * room + 1024) * sizeof *names))) fail("memory");
    if (event->len > 0) snprintf(names[names_end++], sizeof *names, "%s", event->name);
    next += sizeof *event + event->len;
  }
}

int main(int count, char **arguments) {
  char path[PATH_MAX];
  unsigned long long number = 0;
  pthread_t placer;
  if (count < 4) return 64;
  durable = count > 4 && strcmp(arguments[4], "durable") == 0;
  snprintf(path, sizeof path, "%s.hold", arguments[2]);
  mkdir(path, 0700);
  zone = open(arguments[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  box = open(arguments[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  hold = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int queue = inotify_init1(IN_CLOEXEC);
  if (zone < 0 || box < 0 || hold < 0 || queue < 0) fail("open");
  snprintf(path, sizeof path, "%s/ledger", arguments[3]);
  open_ledger(path);
  if (pthread_create(&placer, NULL, place_all, NULL) != 0) fail("thread");
  if (inotify_add_watch(queue, arguments[1], IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR) < 0) fail(arguments[1]);
  for (;;) {
    listen_for_names(queue, names_next == names_end ? -1 : can_take() ? 0 : 1);
    if (names_next == names_end || !can_take()) continue;
    struct batch *batch = calloc(1, sizeof *batch);
    if (!batch) fail("memory");
    while (names_next < names_end && batch->count < together) {
      struct file *file = &batch->files[batch->count];
      memcpy(file->name, names[names_next++], sizeof file->name);
      snprintf(file->id, sizeof file->id, "%026llu", number++);
      batch->count += open_file(file);
    }
    if (names_next == names_end) names_next = names_end = 0;
    if (batch->count > 0) take(batch);
    else free(batch);
  }
}
