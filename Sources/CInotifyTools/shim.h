// The kernel's header comes first, because otherwise `struct inotify_event` is opaque to Swift.
#include <sys/inotify.h>
#include <inotifytools/inotifytools.h>
