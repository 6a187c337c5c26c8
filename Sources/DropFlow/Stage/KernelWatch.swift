import DropSystem

/// The kernel's watches and events, on the event loop's thread.
final class KernelWatch {
  private let loop: EventLoop
  /// Nil while this user may have no more inotify instances; everything is scanned then.
  private var watcher: DirectoryWatcher?
  private var eventsArrived: (@Sendable () -> Void)?

  init(loop: EventLoop) throws(Errno) {
    self.loop = loop
    do throws(Errno) {
      watcher = try DirectoryWatcher()
    } catch  where error == .tooManyFiles {
      watcher = nil
    }
  }

  /// Begins to call `eventsArrived` whenever there are events to be read.
  func open(_ eventsArrived: @escaping @Sendable () -> Void) throws(Errno) {
    self.eventsArrived = eventsArrived
    try listen()
  }

  /// Lets go of the library, of which there is one in a process.
  func close() {
    if let descriptor = watcher?.descriptor { loop.unwatch(descriptor) }
    watcher = nil
  }

  private func listen() throws(Errno) {
    guard let descriptor = watcher?.descriptor, let eventsArrived else { return }
    try loop.watch(descriptor) { _ in eventsArrived() }
  }

  /// Watches an open directory; the directory may be closed afterwards.
  func watch(_ directory: Directory) throws(Errno) -> Int32 {
    if watcher == nil {
      watcher = try DirectoryWatcher()
      try listen()
    }
    guard let watch = try watcher?.watch(directory) else { throw .tooManyFiles }
    return watch
  }

  func unwatch(_ watch: Int32) {
    watcher?.unwatch(watch)
  }

  /// Returns the events that have arrived, `limit` at most, and whether that is all of them.
  func takeEvents(limit: Int) -> (events: [WatchEvent], isAll: Bool) {
    var events: [WatchEvent] = []
    let isAll = watcher?.drain(limit: limit) { events.append($0) } ?? true
    return (events, isAll)
  }
}
