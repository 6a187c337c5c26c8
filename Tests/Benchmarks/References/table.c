// What libinotifytools keeps for a watch: adds one for every directory below ROOT, under a path as long as the
// daemon's, and tells by how much the process has grown: {"directories", "bytes"}.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <inotifytools/inotifytools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

static int directories;

static long resident(void) {
  long all, here;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &all, &here) != 2) exit(1);
  fclose(file);
  return here * sysconf(_SC_PAGESIZE);
}

static void add(const char *path) {
  char name[128];
  int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int length = snprintf(name, sizeof name, "/proc/self/fd/%d", directory);
  for (unsigned rest = (unsigned)++directories; rest; rest >>= 1)
    length += snprintf(name + length, sizeof name - (size_t)length, rest & 1 ? "//" : "/.");
  snprintf(name + length, sizeof name - (size_t)length, "/");
  DIR *listing = directory < 0 ? NULL : fdopendir(directory);
  if (!listing || !inotifytools_watch_file(name, IN_CREATE)) {
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
  if (count < 2 || !inotifytools_initialize()) return 64;
  long before = resident();
  add(arguments[1]);
  printf("{\"directories\":%d,\"bytes\":%ld}\n", directories, resident() - before);
  return 0;
}
