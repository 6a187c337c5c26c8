// Calls that start processes, which glibc declares only with _GNU_SOURCE, or not at all.
#pragma once
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// pidfd_open(2): only newer versions of glibc have a wrapper. The descriptor is always close-on-exec.
static inline int clinux_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }

// memfd_create(2): an unnamed file in memory, close-on-exec and never executable (MFD_NOEXEC_SEAL, Linux 6.3). An older
// kernel does not know the last flag and returns EINVAL.
static inline int clinux_memory_file(const char *name) {
  int fd = (int)syscall(SYS_memfd_create, name, 0x1u | 0x8u);
  if (fd < 0 && errno == EINVAL) fd = (int)syscall(SYS_memfd_create, name, 0x1u);
  return fd;
}

// posix_spawn_file_actions_addclosefrom_np(3), and the same for the working directory
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

// signal(7): SIG_IGN is a macro with a cast, which Swift does not import.
static inline int clinux_is_ignored(int signal_number) {
  struct sigaction action;
  return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
static inline int clinux_is_default(int signal_number) {
  struct sigaction action;
  return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_DFL;
}

// environ(7): for Swift, the global is a mutable variable that any thread could change.
static inline char **clinux_environment(void) { return environ; }
