// The kernel's header goes first: without it Swift sees `struct inotify_event` as opaque.
#include <sys/inotify.h>
#include <inotifytools/inotifytools.h>
