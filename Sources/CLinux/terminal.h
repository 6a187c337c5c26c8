// Terminal functions for `dropzone`: ioctl(2) is variadic, so Swift does not import it.
#pragma once
#include <sys/ioctl.h>

// ioctl_tty(2): the columns and rows of the terminal; -1 if there is none.
static inline int clinux_window_size(int fd, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}
