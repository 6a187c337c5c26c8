// Sends files into a zone by rename, and watches them appear in the box.
//
//   sender probe SOURCE ZONE BOX SECONDS            sends files until the first one arrives, so the mover is ready
//   sender burst SOURCE ZONE BOX SECONDS COUNT      sends all files as fast as possible: {"seconds", "arrived"}
//   sender single SOURCE ZONE BOX SECONDS COUNT     sends each once the previous has arrived: {"p50", "p99", "arrived"}
//   sender await - - BOX SECONDS COUNT              waits for files that are already in the zone; prints "ready" first
//   sender make DIRECTORY COUNT                     creates files: 1 KiB each, of five types, with names of 20 bytes
//   sender write DIRECTORY COUNT                    keeps all files open and writes to each in turn until it is killed
//   sender status SOCKET COUNT                      asks a daemon ten times a second: {"p50", "p99", "arrived"}
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { size = 1024 };

static const char *const extensions[] = {"txt", "csv", "pdf", "png", "jpg"};
enum { kinds = sizeof extensions / sizeof *extensions };

static int source, zone, box, queue, total, arrived;
static double started, limit;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void name_of(int number, char name[32]) {
  snprintf(name, 32, "f%015d.%s", number, extensions[number % kinds]);
}

static int open_directory(const char *path) {
  int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) fail(path);
  return directory;
}

// Fills `bytes` with the content of file `number`: the first bytes of its type, then filler.
static void content(int number, unsigned char bytes[size]) {
  static const unsigned char png[] = {0x89, 'P', 'N', 'G', 13, 10, 26, 10, 0, 0, 0, 13, 'I', 'H', 'D', 'R',
                                      0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0};
  static const unsigned char jpg[] = {0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1};
  unsigned seed = (unsigned)number * 2654435761u + 1;
  switch (number % kinds) {
  case 0:
    for (int i = 0; i < size; i++) bytes[i] = "Dear Sir or Madam, enclosed is what you asked for.\n"[i % 51];
    break;
  case 1:
    for (int i = 0; i < size; i++) bytes[i] = "2026-03-01,4711,invoice,12.50\n"[i % 30];
    bytes[size - 1] = '\n';
    break;
  default:
    for (int i = 0; i < size; i++) bytes[i] = (unsigned char)((seed = seed * 1103515245u + 12345u) >> 16);
    if (number % kinds == 2) memcpy(bytes, "%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<< /Type /Catalog >>\nendobj\n", 52);
    if (number % kinds == 3) memcpy(bytes, png, sizeof png);
    if (number % kinds == 4) memcpy(bytes, jpg, sizeof jpg);
  }
  // Make each file unique.
  if (number % kinds < 2) snprintf((char *)bytes + 60, 16, "%014d", number), bytes[74] = '7';
}

static int make(const char *path, int count) {
  int directory = open_directory(path);
  for (int number = 0; number < count; number++) {
    char name[32];
    unsigned char bytes[size];
    name_of(number, name);
    content(number, bytes);
    int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (file < 0 || write(file, bytes, size) != size || close(file) != 0) fail(name);
  }
  return 0;
}

static void write_all(const char *path, int count) {
  int directory = open_directory(path);
  struct rlimit files = {(rlim_t)count + 64, (rlim_t)count + 64};
  int *open_files = calloc((size_t)count, sizeof *open_files);
  if (setrlimit(RLIMIT_NOFILE, &files) != 0 || !open_files) fail("limit");
  for (int number = 0; number < count; number++) {
    char name[32];
    name_of(number, name);
    open_files[number] = openat(directory, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (open_files[number] < 0 || write(open_files[number], name, 20) != 20) fail(name);
  }
  printf("ready\n");
  fflush(stdout);
  for (int number = 0;; number = (number + 1) % count) {
    if (write(open_files[number], "more of the same\n", 17) != 17) fail("write");
    // Write to each of them twice a second.
    if (number % 100 == 0) nanosleep(&(struct timespec){0, 50000000L / (count / 1000 + 1)}, NULL);
  }
}

static void send_one(int number) {
  char name[32];
  name_of(number, name);
  if (renameat(source, name, zone, name) != 0) fail(name);
}

static void *send_all(void *unused) {
  started = now();
  for (int number = 0; number < total; number++) send_one(number);
  return unused;
}

// Counts our files among the box's events; false when the time is up.
static int witness(void) {
  static char events[1 << 18] __attribute__((aligned(8)));
  struct pollfd waiting = {queue, POLLIN, 0};
  double left = limit - now();
  if (left <= 0 || poll(&waiting, 1, (int)(left * 1000) + 1) == 0) return 0;
  ssize_t length = read(queue, events, sizeof events);
  if (length < 0) fail("read");
  for (char *next = events; next < events + length;) {
    struct inotify_event *event = (struct inotify_event *)next;
    if (event->mask & IN_Q_OVERFLOW) {
      fprintf(stderr, "sender: events were lost\n");
      exit(1);
    }
    if (event->len > 0 && event->name[0] == 'f') arrived++;
    next += sizeof *event + event->len;
  }
  return 1;
}

static int compare(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

static int single(void) {
  double *times = calloc((size_t)total, sizeof *times);
  if (!times) fail("memory");
  for (int number = 0; number < total; number++) {
    double before = now();
    send_one(number);
    while (arrived <= number)
      if (!witness()) break;
    times[number] = now() - before;
  }
  qsort(times, (size_t)total, sizeof *times, compare);
  printf("{\"p50\":%.9f,\"p99\":%.9f,\"arrived\":%d}\n", times[total / 2], times[total * 99 / 100], arrived);
  return 0;
}

static int burst(int sends) {
  pthread_t thread;
  started = now();
  if (sends && pthread_create(&thread, NULL, send_all, NULL) != 0) fail("thread");
  while (arrived < total && witness())
    // Sleep, so that each wake-up handles many files and the mover has the processor.
    if (arrived < total) nanosleep(&(struct timespec){0, 2000000}, NULL);
  double seconds = now() - started;
  if (sends) pthread_join(thread, NULL);
  printf("{\"seconds\":%.9f,\"arrived\":%d}\n", seconds, arrived);
  return 0;
}

// Measures the time from the question to the last byte of the answer.
static int status(const char *path, int count) {
  static const char question[] = "{\"method\":\"io.dropzone.Zones.List\",\"parameters\":{}}";
  static char answer[1 << 20];
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  double *times = calloc((size_t)count, sizeof *times);
  int daemon = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
  if (!times || connect(daemon, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
  for (int number = 0; number < count; number++) {
    double before = now();
    if (write(daemon, question, sizeof question) != sizeof question) fail("write");
    for (ssize_t got; (got = read(daemon, answer, sizeof answer)) > 0;)
      if (answer[got - 1] == 0) break;
    times[number] = now() - before;
    nanosleep(&(struct timespec){0, 100000000}, NULL);
  }
  qsort(times, (size_t)count, sizeof *times, compare);
  printf("{\"p50\":%.9f,\"p99\":%.9f,\"arrived\":%d}\n", times[count / 2], times[count * 99 / 100], count);
  return 0;
}

// Sends one file after another until one arrives, because some movers do not report when they are ready.
static int probe(void) {
  for (int number = 0; now() < limit; number++) {
    char name[32];
    struct pollfd waiting = {queue, POLLIN, 0};
    snprintf(name, sizeof name, "probe%d.txt", number);
    int file = openat(source, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0 || write(file, "ready?\n", 7) != 7 || close(file) != 0) fail(name);
    if (renameat(source, name, zone, name) != 0) fail(name);
    if (poll(&waiting, 1, 1000) > 0) return 0;
  }
  fprintf(stderr, "nothing arrived\n");
  return 1;
}

int main(int count, char **arguments) {
  if (count == 4 && strcmp(arguments[1], "make") == 0) return make(arguments[2], atoi(arguments[3]));
  if (count == 4 && strcmp(arguments[1], "write") == 0) write_all(arguments[2], atoi(arguments[3]));
  if (count == 4 && strcmp(arguments[1], "status") == 0) return status(arguments[2], atoi(arguments[3]));
  if (count < 6) return 64;
  int sends = strcmp(arguments[1], "await") != 0;
  if (sends) source = open_directory(arguments[2]), zone = open_directory(arguments[3]);
  box = open_directory(arguments[4]);
  limit = now() + atof(arguments[5]);
  if ((queue = inotify_init1(IN_CLOEXEC)) < 0) fail("inotify");
  if (inotify_add_watch(queue, arguments[4], IN_MOVED_TO | IN_ONLYDIR) < 0) fail(arguments[4]);
  if (strcmp(arguments[1], "probe") == 0) return probe();
  if (count < 7) return 64;
  total = atoi(arguments[6]);
  if (strcmp(arguments[1], "single") == 0) return single();
  printf("ready\n");
  fflush(stdout);
  return burst(sends);
}
