// What the control socket's tool asks of its terminal: ioctl(2) is variadic, which Swift does not import.
#pragma once
#include <sys/ioctl.h>

// ioctl_tty(2): columns and rows of the terminal; -1 where there is none.
static inline int clinux_window_size(int fd, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return -1;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}
