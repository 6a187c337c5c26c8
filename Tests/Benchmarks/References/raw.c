// The limit: one thread that reads inotify events, opens, stats, reads the first bytes and renames, and nothing else.
//
//   raw ZONE BOX            as fast as possible
//   raw ZONE BOX durable    with fsync of the file, rename, fsync of the box
//   raw ZONE BOX typed      with a type for each file, from the libraries that the daemon uses; built with -DTYPED
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef TYPED
#include <gio/gio.h>
#include <magic.h>
static magic_t magic;
#endif

static int zone, box, durable, typed;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

// Uses the content rules for text, and libmagic for everything else. libmagic recognises the benchmark's files, so the
// daemon asks nothing else about them either.
static void type(const char *head, ssize_t count) {
#ifdef TYPED
  if (!magic && (!(magic = magic_open(MAGIC_MIME_TYPE)) || magic_load(magic, NULL) != 0)) fail("libmagic");
  if (memchr(head, 0, (size_t)count)) magic_buffer(magic, head, (size_t)count);
  else g_free(g_content_type_guess(NULL, (const guchar *)head, (gsize)count, NULL));
#else
  (void)head, (void)count;
#endif
}

static void take(const char *name) {
  char head[4096];
  struct stat status;
  int file = openat(zone, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT) return;
    fail(name);
  }
  ssize_t length;
  if (fstat(file, &status) != 0 || (length = read(file, head, sizeof head)) < 0) fail(name);
  if (typed) type(head, length);
  if (durable && fsync(file) != 0) fail(name);
  if (renameat(zone, name, box, name) != 0) fail(name);
  if (durable && fsync(box) != 0) fail(name);
  close(file);
}

int main(int count, char **arguments) {
  static char events[1 << 16] __attribute__((aligned(8)));
  if (count < 3) return 64;
  durable = count > 3 && strcmp(arguments[3], "durable") == 0;
  typed = count > 3 && strcmp(arguments[3], "typed") == 0;
  zone = open(arguments[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  box = open(arguments[2], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int queue = inotify_init1(IN_CLOEXEC);
  if (zone < 0 || box < 0 || queue < 0) fail("open");
  if (inotify_add_watch(queue, arguments[1], IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR) < 0) fail(arguments[1]);
  for (;;) {
    ssize_t length = read(queue, events, sizeof events);
    if (length < 0) fail("read");
    for (char *next = events; next < events + length;) {
      struct inotify_event *event = (struct inotify_event *)next;
      if (event->mask & IN_Q_OVERFLOW) return 2;
      if (event->len > 0) take(event->name);
      next += sizeof *event + event->len;
    }
  }
}
