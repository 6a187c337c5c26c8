// Adds a watch to every directory below ROOT and lists each, as any watcher of a tree must: {"seconds", "directories"}.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

static int queue, directories;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void add(const char *path) {
  if (inotify_add_watch(queue, path, IN_MODIFY | IN_CLOSE_WRITE | IN_MOVE | IN_CREATE | IN_DELETE | IN_ONLYDIR) < 0) {
    perror(path);
    exit(1);
  }
  directories++;
  DIR *listing = opendir(path);
  if (!listing) {
    perror(path);
    exit(1);
  }
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
  queue = inotify_init1(IN_CLOEXEC);
  double started = now();
  add(arguments[1]);
  printf("{\"seconds\":%.9f,\"directories\":%d}\n", now() - started, directories);
  return 0;
}
