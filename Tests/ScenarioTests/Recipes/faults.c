// Makes system calls of a daemon fail. Loaded with LD_PRELOAD. Rules are separated by ';':
//
//   CALLS:GLOB:ERROR:COUNT[:AFTER]
//
// CALLS: names separated by ','.
// GLOB: a pattern for the absolute path of the call, with @(A|B) for a choice.
// ERROR: an error number, KILL (the process dies before the call), DIED (the process dies after the call) or HOOK (for
//   every call, the program in DZ_FAULT_HOOK runs first, with the call and its path).
// COUNT: how many calls fail, -1 for all; for KILL and DIED, the number of the call.
// AFTER: how many bytes are written first (write), or the length that the last component of the path must exceed (open,
//   rename, link, mkdir).
// If DZ_FAULT_LOG is set, every call that matches a rule is written to that file as "CALL PATH".
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/fs.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { LIMIT = 16, KILL_BEFORE = -1, KILL_AFTER = -2, HOOK = -3 };

static struct rule {
  char calls[256], glob[PATH_MAX];
  int error;
  long after;
  atomic_long left, passed;
} rules[LIMIT];
static int count;
static pid_t owner;
static char log_path[PATH_MAX], hook_path[PATH_MAX];

__attribute__((constructor)) static void read_rules(void) {
  const char *text = getenv("DZ_FAULTS"), *log = getenv("DZ_FAULT_LOG"), *hook = getenv("DZ_FAULT_HOOK");
  if (!text) return;
  if (log) snprintf(log_path, sizeof log_path, "%s", log);
  if (hook) snprintf(hook_path, sizeof hook_path, "%s", hook);
  char *copy = strdup(text), *state, *part;
  for (part = strtok_r(copy, ";", &state); part && count < LIMIT; part = strtok_r(NULL, ";", &state)) {
    struct rule *rule = &rules[count];
    char error[16];
    long left = -1;
    rule->after = -1;
    if (sscanf(part, "%255[^:]:%4095[^:]:%15[^:]:%ld:%ld", rule->calls, rule->glob, error, &left, &rule->after) < 4) continue;
    rule->error = !strcmp(error, "KILL") ? KILL_BEFORE : !strcmp(error, "DIED") ? KILL_AFTER
                  : !strcmp(error, "HOOK") ? HOOK : atoi(error);
    atomic_store(&rule->left, left);
    count++;
  }
  free(copy);
  owner = getpid();
  // Only the daemon itself gets faults, not its helpers and handlers.
  unsetenv("LD_PRELOAD");
  unsetenv("DZ_FAULTS");
}

static int contains(const char *calls, const char *call) {
  size_t length = strlen(call);
  for (const char *at = calls; (at = strstr(at, call)); at += length)
    if ((at == calls || at[-1] == ',') && (at[length] == 0 || at[length] == ',')) return 1;
  return 0;
}

static void path_of(int fd, const char *name, char *path) {
  char link[64];
  ssize_t length = 0;
  path[0] = 0;
  if (!name || name[0] != '/') {
    if (fd == AT_FDCWD) {
      if (!getcwd(path, PATH_MAX)) path[0] = 0;
      length = (ssize_t)strlen(path);
    } else {
      snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
      length = readlink(link, path, PATH_MAX - 1);
      if (length < 0) length = 0;
      path[length] = 0;
    }
    if (!name || !*name) return;
    snprintf(path + length, (size_t)(PATH_MAX - length), "/%s", name);
  } else if (sscanf(name, "/proc/self/fd/%d", &fd) == 1 && !strchr(name + 14, '/')) {
    path_of(fd, NULL, path);
  } else {
    snprintf(path, PATH_MAX, "%s", name);
  }
}

static void write_log(const char *call, const char *path) {
  if (!log_path[0]) return;
  char line[PATH_MAX + 64];
  int length = snprintf(line, sizeof line, "%s %s\n", call, path);
  int fd = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return;
  syscall(SYS_write, fd, line, (size_t)length);
  syscall(SYS_close, fd);
}

// Runs another program at exactly this moment.
static void run_hook(const char *call, char *path) {
  char *arguments[] = {hook_path, (char *)call, path, NULL};
  pid_t child;
  if (posix_spawn(&child, hook_path, NULL, NULL, arguments, environ) == 0) waitpid(child, NULL, 0);
}

static void die(void) {
  syscall(SYS_kill, owner, SIGKILL);
}

// The error that the call must fail with, 0 for none, or KILL_AFTER if the process must die after it.
static int fault(const char *call, int fd, const char *name, size_t bytes) {
  int saved = errno;
  if (!count || getpid() != owner) return 0;
  char path[PATH_MAX];
  path[0] = 0;
  for (int i = 0; i < count; i++) {
    struct rule *rule = &rules[i];
    if (!contains(rule->calls, call)) continue;
    if (!path[0]) path_of(fd, name, path);
    if (fnmatch(rule->glob, path, FNM_EXTMATCH) != 0) continue;
    if (rule->after >= 0) {
      if (bytes > 0) {
        if (atomic_fetch_add(&rule->passed, (long)bytes) + (long)bytes <= rule->after) continue;
      } else {
        const char *last = strrchr(path, '/');
        if ((long)strlen(last ? last + 1 : path) <= rule->after) continue;
      }
    }
    write_log(call, path);
    if (rule->error == HOOK) {
      run_hook(call, path);
      continue;
    }
    if (rule->error == KILL_BEFORE || rule->error == KILL_AFTER) {
      if (atomic_fetch_sub(&rule->left, 1) != 1) continue;
      if (rule->error == KILL_AFTER) return KILL_AFTER;
      die();
      for (;;) pause();
    }
    long left = atomic_load(&rule->left);
    if (left == 0) continue;
    if (left > 0 && atomic_fetch_sub(&rule->left, 1) <= 0) continue;
    atomic_store(&rule->passed, 0);
    return rule->error;
  }
  errno = saved;
  return 0;
}

#define NEXT(name) static __typeof__(&name) next; if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define RUN(call, fd, path, bytes, expression)                    \
  do {                                                            \
    int fate = fault(call, fd, path, bytes);                      \
    if (fate > 0) { errno = fate; return -1; }                    \
    __typeof__(expression) result = expression;                   \
    if (fate == KILL_AFTER) { die(); for (;;) pause(); }          \
    return result;                                                \
  } while (0)

static mode_t mode_of(int flags, va_list list) {
  return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(list, int) : 0;
}

int openat(int fd, const char *path, int flags, ...) {
  NEXT(openat);
  va_list list; va_start(list, flags); mode_t mode = mode_of(flags, list); va_end(list);
  RUN("open", fd, path, 0, next(fd, path, flags, mode));
}
int openat64(int fd, const char *path, int flags, ...) {
  NEXT(openat64);
  va_list list; va_start(list, flags); mode_t mode = mode_of(flags, list); va_end(list);
  RUN("open", fd, path, 0, next(fd, path, flags, mode));
}
int open(const char *path, int flags, ...) {
  NEXT(open);
  va_list list; va_start(list, flags); mode_t mode = mode_of(flags, list); va_end(list);
  RUN("open", AT_FDCWD, path, 0, next(path, flags, mode));
}
int open64(const char *path, int flags, ...) {
  NEXT(open64);
  va_list list; va_start(list, flags); mode_t mode = mode_of(flags, list); va_end(list);
  RUN("open", AT_FDCWD, path, 0, next(path, flags, mode));
}
long syscall(long number, ...) {
  static long (*next)(long, ...);
  if (!next) next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  va_list list; va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long),
       e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  if (number == SYS_getdents64) RUN("list", (int)a, NULL, 0, next(number, a, b, c, d, e, f));
  if (number == SYS_openat2) RUN("open", (int)a, (const char *)b, 0, next(number, a, b, c, d, e, f));
  return next(number, a, b, c, d, e, f);
}
ssize_t write(int fd, const void *bytes, size_t length) { NEXT(write); RUN("write", fd, NULL, length, next(fd, bytes, length)); }
ssize_t pwrite(int fd, const void *b, size_t n, off_t o) { NEXT(pwrite); RUN("write", fd, NULL, n, next(fd, b, n, o)); }
ssize_t pwrite64(int fd, const void *b, size_t n, off64_t o) { NEXT(pwrite64); RUN("write", fd, NULL, n, next(fd, b, n, o)); }
ssize_t writev(int fd, const struct iovec *v, int n) { NEXT(writev); RUN("write", fd, NULL, 1, next(fd, v, n)); }
ssize_t copy_file_range(int in, off64_t *io, int out, off64_t *oo, size_t n, unsigned f) {
  NEXT(copy_file_range);
  RUN("write", out, NULL, n, next(in, io, out, oo, n, f));
}
ssize_t sendfile(int out, int in, off_t *o, size_t n) { NEXT(sendfile); RUN("write", out, NULL, n, next(out, in, o, n)); }
ssize_t sendfile64(int out, int in, off64_t *o, size_t n) { NEXT(sendfile64); RUN("write", out, NULL, n, next(out, in, o, n)); }
ssize_t read(int fd, void *bytes, size_t length) { NEXT(read); RUN("read", fd, NULL, 0, next(fd, bytes, length)); }
ssize_t pread(int fd, void *b, size_t n, off_t o) { NEXT(pread); RUN("read", fd, NULL, 0, next(fd, b, n, o)); }
ssize_t pread64(int fd, void *b, size_t n, off64_t o) { NEXT(pread64); RUN("read", fd, NULL, 0, next(fd, b, n, o)); }
int ioctl(int fd, unsigned long request, ...) {
  NEXT(ioctl);
  va_list list; va_start(list, request); void *argument = va_arg(list, void *); va_end(list);
  if (request == FICLONE) RUN("clone", fd, NULL, 0, next(fd, request, argument));
  return next(fd, request, argument);
}
int fsync(int fd) { NEXT(fsync); RUN("fsync", fd, NULL, 0, next(fd)); }
int fdatasync(int fd) { NEXT(fdatasync); RUN("fsync", fd, NULL, 0, next(fd)); }
int syncfs(int fd) { NEXT(syncfs); RUN("fsync", fd, NULL, 0, next(fd)); }
int fchmod(int fd, mode_t mode) { NEXT(fchmod); RUN("chmod", fd, NULL, 0, next(fd, mode)); }
int fchmodat(int fd, const char *p, mode_t m, int f) { NEXT(fchmodat); RUN("chmod", fd, p, 0, next(fd, p, m, f)); }
int fchown(int fd, uid_t u, gid_t g) { NEXT(fchown); RUN("chown", fd, NULL, 0, next(fd, u, g)); }
int fchownat(int fd, const char *p, uid_t u, gid_t g, int f) { NEXT(fchownat); RUN("chown", fd, p, 0, next(fd, p, u, g, f)); }
int futimens(int fd, const struct timespec t[2]) { NEXT(futimens); RUN("times", fd, NULL, 0, next(fd, t)); }
int utimensat(int fd, const char *p, const struct timespec t[2], int f) { NEXT(utimensat); RUN("times", fd, p, 0, next(fd, p, t, f)); }
int fsetxattr(int fd, const char *n, const void *v, size_t s, int f) { NEXT(fsetxattr); RUN("xattr", fd, NULL, 0, next(fd, n, v, s, f)); }
int statx(int fd, const char *restrict p, int f, unsigned m, struct statx *restrict s) { NEXT(statx); RUN("look", fd, p, 0, next(fd, p, f, m, s)); }
int renameat2(int a, const char *p, int b, const char *q, unsigned f) {
  NEXT(renameat2);
  // A rename has two paths: the old one matches "take" and the new one "rename". A rename that replaces nothing also
  // matches "exclusive".
  int fate = fault("take", a, p, 0);
  if (!fate && f & 1) fate = fault("exclusive", b, q, 0);
  if (fate > 0) { errno = fate; return -1; }
  RUN("rename", b, q, 0, next(a, p, b, q, f));
}
int renameat(int a, const char *p, int b, const char *q) { NEXT(renameat); RUN("rename", b, q, 0, next(a, p, b, q)); }
int rename(const char *p, const char *q) { NEXT(rename); RUN("rename", AT_FDCWD, q, 0, next(p, q)); }
int linkat(int a, const char *p, int b, const char *q, int f) { NEXT(linkat); RUN("link", b, q, 0, next(a, p, b, q, f)); }
int mkdirat(int fd, const char *p, mode_t m) { NEXT(mkdirat); RUN("mkdir", fd, p, 0, next(fd, p, m)); }
int unlinkat(int fd, const char *p, int f) { NEXT(unlinkat); RUN("unlink", fd, p, 0, next(fd, p, f)); }
int unlink(const char *p) { NEXT(unlink); RUN("unlink", AT_FDCWD, p, 0, next(p)); }
