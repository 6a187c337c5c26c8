// Calls that move bytes between files, which glibc declares only with _GNU_SOURCE.
#pragma once
#include <sys/types.h>

// sync_file_range(2)
int sync_file_range(int fd, off_t offset, off_t length, unsigned int flags);

#define CLINUX_SYNC_FILE_RANGE_WRITE 2u
