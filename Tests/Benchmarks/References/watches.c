// Adds a watch to every directory below ROOT and lists each directory, as anything that watches a tree must do. Prints how
// long it took and by how much the process has grown: {"seconds", "directories", "bytes"}.
//
//   watches ROOT             with the kernel's own calls
//   watches ROOT library     through libinotifytools, under a path as long as the daemon's
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <inotifytools/inotifytools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

static const int events = IN_MODIFY | IN_CLOSE_WRITE | IN_MOVE | IN_CREATE | IN_DELETE;
static int queue, directories, is_library;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static long resident(void) {
  long all, here;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &all, &here) != 2) fail("statm");
  fclose(file);
  return here * sysconf(_SC_PAGESIZE);
}

// Encodes the number of the watch in the path, because the library does not accept a path twice.
static void watch_by_library(int directory) {
  char name[128];
  int length = snprintf(name, sizeof name, "/proc/self/fd/%d", directory);
  for (unsigned rest = (unsigned)directories; rest; rest >>= 1)
    length += snprintf(name + length, sizeof name - (size_t)length, rest & 1 ? "//" : "/.");
  snprintf(name + length, sizeof name - (size_t)length, "/");
  if (!inotifytools_watch_file(name, events)) fail(name);
}

static void add(const char *path) {
  int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *listing = directory < 0 ? NULL : fdopendir(directory);
  if (!listing) fail(path);
  directories++;
  if (is_library) watch_by_library(directory);
  else if (inotify_add_watch(queue, path, events | IN_ONLYDIR) < 0) fail(path);
  for (struct dirent *entry; (entry = readdir(listing));) {
    char below[4096];
    if (entry->d_type != DT_DIR || strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >= (int)sizeof below) exit(2);
    add(below);
  }
  closedir(listing);
}

int main(int count, char **arguments) {
  if (count < 2) return 64;
  is_library = count > 2 && strcmp(arguments[2], "library") == 0;
  if (is_library ? !inotifytools_initialize() : (queue = inotify_init1(IN_CLOEXEC)) < 0) fail("inotify");
  long before = resident();
  double started = now();
  add(arguments[1]);
  printf("{\"seconds\":%.9f,\"directories\":%d,\"bytes\":%ld}\n", now() - started, directories, resident() - before);
  return 0;
}
