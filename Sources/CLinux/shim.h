// Calls that are missing in Swift's Glibc module, because glibc declares them only with _GNU_SOURCE. It is not defined
// here, because `fd_set` would then differ between two modules. Instead, the few functions are declared by hand, as in
// their manual pages.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <dirent.h>
#include <grp.h>
#include <malloc.h>
#include <pthread.h>
#include <pwd.h>
#include <unistd.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <linux/stat.h>

// statx(2)
int statx(int dirfd, const char *path, int flags, unsigned int mask, struct statx *buffer);
// rename(2)
int renameat2(int olddir, const char *oldpath, int newdir, const char *newpath, unsigned int flags);
// copy_file_range(2)
ssize_t copy_file_range(int in, off_t *inoff, int out, off_t *outoff, size_t length, unsigned int flags);
// syncfs(2)
int syncfs(int fd);
// pipe(2)
int pipe2(int ends[2], int flags);
// accept(2)
int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags);
// getrandom(2)
ssize_t getrandom(void *buffer, size_t length, unsigned int flags);
// open_by_handle_at(2)
struct file_handle;
int name_to_handle_at(int dirfd, const char *path, struct file_handle *handle, int *mount, int flags);
// fallocate(2)
int fallocate(int fd, int mode, off_t offset, off_t length);
// environ(7), for posix_spawn(3)
extern char **environ;
#include "process.h"
#include "transfer.h"
// syscall(2)
long syscall(long number, ...);

#include "process.h"
#include "transfer.h"

#define CLINUX_AT_EMPTY_PATH 0x1000
#define CLINUX_O_PATH 010000000
#define CLINUX_O_TMPFILE 020200000
#define CLINUX_O_NOATIME 01000000
#define CLINUX_F_SETLEASE 1024
#define CLINUX_F_GETLEASE 1025
#define CLINUX_SEEK_DATA 3
#define CLINUX_SEEK_HOLE 4
// An enumerator in glibc. Several modules include its header, and which of them owns it varies.
#define CLINUX_SOCK_STREAM 1
#define CLINUX_SO_PEERCRED 17
#define CLINUX_SO_PEERGROUPS 59
#define CLINUX_RENAME_NOREPLACE 1u
#define CLINUX_POSIX_SPAWN_SETSID 0x80

// unix(7): the result of SO_PEERCRED.
struct clinux_ucred { pid_t pid; uid_t uid; gid_t gid; };

// openat2(2): glibc has no wrapper.
static inline int clinux_openat2(int dirfd, const char *path, int flags, unsigned long long resolve) {
  struct open_how how = {.flags = (unsigned long long)(unsigned int)flags, .mode = 0, .resolve = resolve};
  return (int)syscall(SYS_openat2, dirfd, path, &how, sizeof how);
}

// ioctl_ficlone(2): ioctl is variadic, so Swift does not import it.
static inline int clinux_ficlone(int target, int source) { return ioctl(target, FICLONE, source); }
// ioctl_iflags(2)
static inline int clinux_getflags(int fd, int *flags) { return ioctl(fd, FS_IOC_GETFLAGS, flags); }
// fcntl(2): variadic too.
static inline int clinux_fcntl(int fd, int command, int argument) { return fcntl(fd, command, argument); }
// open(2): variadic too.
static inline int clinux_openat(int dirfd, const char *path, int flags, mode_t mode) {
  return openat(dirfd, path, flags, mode);
}

#define CLINUX_AT_STATX_FORCE_SYNC 0x2000
#define CLINUX_AT_NO_AUTOMOUNT 0x800
#define CLINUX_STATX_MNT_ID 0x1000u
#define CLINUX_STATX_ATTR_MOUNT_ROOT 0x2000u
// The structure and the function have the same name, so Swift cannot tell them apart.
static inline int clinux_statx(int dirfd, const char *path, int flags, unsigned int mask, struct statx *buffer) {
  return statx(dirfd, path, flags, mask, buffer);
}
static inline long clinux_filesystem_type(int fd) {
  struct statfs status;
  return fstatfs(fd, &status) == 0 ? (long)status.f_type : -1;
}


// epoll(7): only the descriptor is stored with the events, so that Swift need not handle the union. The events have the
// values of poll(2).
static inline int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int clinux_epoll_add(int poll, int fd, short events) {
  struct epoll_event event = {.events = (uint32_t)events, .data = {.fd = fd}};
  return epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
}
static inline int clinux_epoll_change(int poll, int fd, short events) {
  struct epoll_event event = {.events = (uint32_t)events, .data = {.fd = fd}};
  return epoll_ctl(poll, EPOLL_CTL_MOD, fd, &event);
}
static inline int clinux_epoll_remove(int poll, int fd) { return epoll_ctl(poll, EPOLL_CTL_DEL, fd, NULL); }
struct clinux_ready { int fd; short events; };
// Waits without a timeout. Fills in the ready descriptors and returns their number, 0 after a signal.
static inline int clinux_epoll_wait(int poll, struct clinux_ready *ready, int capacity) {
  struct epoll_event events[16];
  int count = epoll_wait(poll, events, capacity < 16 ? capacity : 16, -1);
  for (int i = 0; i < count; i++) ready[i] = (struct clinux_ready){events[i].data.fd, (short)events[i].events};
  return count < 0 ? 0 : count;
}
static inline int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline int clinux_timerfd(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK); }
static inline int clinux_timerfd_blocking(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC); }
// timerfd_settime(2) with an absolute time; zeros disarm the timer.
static inline int clinux_timerfd_set(int fd, long seconds, long nanoseconds) {
  struct itimerspec value = {{0, 0}, {seconds, nanoseconds}};
  return timerfd_settime(fd, TFD_TIMER_ABSTIME, &value, NULL);
}
// pthread_setname_np(3)
int pthread_setname_np(pthread_t thread, const char *name);

// getdents64(2): readdir(3) allocates a buffer for each open directory.
static inline long clinux_read_entries(int fd, void *buffer, size_t size) {
  return syscall(SYS_getdents64, fd, buffer, size);
}

// capget(2): the effective set of this process.
static inline int clinux_effective_capabilities(unsigned long long *set) {
  struct { uint32_t version; int pid; } head = {0x20080522, 0};
  struct { uint32_t effective, permitted, inheritable; } data[2] = {{0, 0, 0}, {0, 0, 0}};
  if (syscall(SYS_capget, &head, data) != 0) return -1;
  *set = (unsigned long long)data[0].effective | ((unsigned long long)data[1].effective << 32);
  return 0;
}

// wait(2): the macros that decode a status.
static inline int clinux_exited(int status) { return WIFEXITED(status); }
static inline int clinux_exit_code(int status) { return WEXITSTATUS(status); }
static inline int clinux_signaled(int status) { return WIFSIGNALED(status); }
static inline int clinux_signal(int status) { return WTERMSIG(status); }
// signal(7): SIG_DFL is a macro with a cast, which Swift does not import.
static inline int clinux_default_action(int signal_number) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  return sigaction(signal_number, &action, NULL);
}
static inline int clinux_catch(int signal_number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  return sigaction(signal_number, &action, NULL);
}
static inline int clinux_ignore(int signal_number) {
  struct sigaction action = {.sa_handler = SIG_IGN};
  return sigaction(signal_number, &action, NULL);
}

// name_to_handle_at(2): the handle is a flexible array, so this copies its bytes. Returns their number, or -1 with errno
// set.
static inline int clinux_handle(int fd, unsigned char *bytes, int capacity) {
  struct { unsigned int count; int type; unsigned char data[128]; } handle = {128, 0, {0}};
  int mount = 0;
  if (name_to_handle_at(fd, "", (struct file_handle *)&handle, &mount, CLINUX_AT_EMPTY_PATH) != 0) return -1;
  int total = (int)handle.count + 4;
  if (total > capacity) { errno = ERANGE; return -1; }
  for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(((unsigned)handle.type >> (8 * i)) & 0xff);
  for (unsigned i = 0; i < handle.count; i++) bytes[4 + i] = handle.data[i];
  return total;
}
