// The limit: one thread that reads inotify, opens, stats, reads the head and renames; nothing else.
//
//   raw ZONE BOX            as fast as it goes
//   raw ZONE BOX durable    with fsync of the file, rename, fsync of the box
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

static int zone, box, durable;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void take(const char *name) {
  char head[4096];
  struct stat status;
  int file = openat(zone, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) {
    if (errno == ENOENT) return;
    fail(name);
  }
  if (fstat(file, &status) != 0 || read(file, head, sizeof head) < 0) fail(name);
  if (durable && fsync(file) != 0) fail(name);
  if (renameat(zone, name, box, name) != 0) fail(name);
  if (durable && fsync(box) != 0) fail(name);
  close(file);
}

int main(int count, char **arguments) {
  static char events[1 << 16] __attribute__((aligned(8)));
  if (count < 3) return 64;
  durable = count > 3;
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
