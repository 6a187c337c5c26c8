internal import CInotifyTools
package import DropEngine
internal import CLinux
internal import Glibc

/// The one libinotifytools instance of this process.
///
/// All of the library's state is static and without locks, so one thread creates this value and uses it. The library
/// finds a watch only by its path, keeps paths forever and returns a stale watch for a known one. For this reason, every
/// watch is requested under a new path: `/proc/self/fd/N` and a suffix of `/.` and `//` that encodes a counter. All of
/// these paths lead to the same directory.
package struct DirectoryWatcher: ~Copyable {
  /// The kernel's queue, which is readable if there are events.
  package let descriptor: Int32
  private var serial: UInt32 = 1

  /// The events to report. Opens, reads and closes without writing are left out, because our own checks cause them.
  private static let mask =
    UInt32(IN_CREATE | IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE)
    | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// Fails with `tooManyFiles` if the user has no inotify instances left.
  package init() throws(Errno) {
    let before = Self.inotifyDescriptors()
    guard inotifytools_initialize() != 0 else { throw Errno(inotifytools_error()) }
    guard let found = Self.inotifyDescriptors().subtracting(before).first else { throw .invalid }
    descriptor = found
    // The library opens it without close-on-exec, so every handler process would inherit it.
    _ = fcntl(found, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    inotifytools_cleanup()
  }

  /// Watches an open directory, which can be closed afterwards.
  ///
  /// Fails with `noSpace` if the user has no watches left.
  package mutating func watch(_ directory: Directory) throws(Errno) -> Int32 {
    var path = Array("/proc/self/fd/\(directory.number)".utf8)
    // Lowest bit first, and none above the highest set bit, because the kernel walks the whole path.
    var rest = serial
    while rest != 0 {
      path += rest & 1 == 0 ? [.slash, .dot] : [.slash, .slash]
      rest >>= 1
    }
    // The library adds a missing slash at the end, and would then store another string.
    path += [.slash]
    serial &+= 1
    return try unsafe RawPath(bytes: path).withCString { (path) throws(Errno) in
      guard unsafe inotifytools_watch_file(path, Int32(bitPattern: Self.mask)) != 0 else {
        throw Errno(inotifytools_error())
      }
      let watch = unsafe inotifytools_wd_from_filename(path)
      guard watch > 0 else { throw .invalid }
      return watch
    }
  }

  /// Ends a watch, without the library: it prints a line if the kernel has removed the watch, and keeps its entry anyway.
  package mutating func unwatch(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor, watch)
  }

  /// Calls `body` with at most `limit` events, in order. Returns whether none are left: for events that the library has
  /// already read, the descriptor is not readable.
  @discardableResult package mutating func drain(limit: Int = .max, _ body: (WatchEvent) -> Void) -> Bool {
    var count = 0
    while count < limit {
      // A timeout of 0 would wait forever in `inotifytools_next_event`, but the call for several events returns at once.
      guard let event = unsafe inotifytools_next_events(0, 1) else { return true }
      unsafe body(WatchEvent(event))
      count += 1
    }
    return false
  }

  private static func inotifyDescriptors() -> Set<Int32> {
    var found: Set<Int32> = []
    guard let names = try? Directory("/proc/self/fd").names() else { return found }
    for name in names {
      guard let text = name.string, let number = Int32(text) else { continue }
      var target = [UInt8](repeating: 0, count: 32)
      let length = unsafe readlink("/proc/self/fd/\(number)", &target, target.count)
      if length > 0, target.prefix(length).elementsEqual("anon_inode:inotify".utf8) { found.insert(number) }
    }
    return found
  }
}

/// A copy of an event from the kernel.
package struct WatchEvent: Hashable, Sendable {
  /// The watch; −1 if events were lost.
  package var watch: Int32
  package var kinds: Kinds
  /// The same number in both events of a rename.
  package var cookie: UInt32
  /// Empty if the event is about the directory itself.
  package var name: RawPath

  package struct Kinds: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    package static let modified = Kinds(rawValue: UInt32(IN_MODIFY))
    package static let attributes = Kinds(rawValue: UInt32(IN_ATTRIB))
    package static let closedAfterWrite = Kinds(rawValue: UInt32(IN_CLOSE_WRITE))
    package static let movedFrom = Kinds(rawValue: UInt32(IN_MOVED_FROM))
    package static let movedTo = Kinds(rawValue: UInt32(IN_MOVED_TO))
    package static let created = Kinds(rawValue: UInt32(IN_CREATE))
    package static let deleted = Kinds(rawValue: UInt32(IN_DELETE))
    package static let deletedSelf = Kinds(rawValue: UInt32(IN_DELETE_SELF))
    package static let movedSelf = Kinds(rawValue: UInt32(IN_MOVE_SELF))
    package static let unmounted = Kinds(rawValue: UInt32(IN_UNMOUNT))
    package static let overflow = Kinds(rawValue: UInt32(IN_Q_OVERFLOW))
    /// The kernel has removed the watch.
    package static let ended = Kinds(rawValue: UInt32(IN_IGNORED))
    /// The name is that of a directory.
    package static let directory = Kinds(rawValue: UInt32(IN_ISDIR))
  }

  init(_ event: UnsafeMutablePointer<inotify_event>) {
    unsafe watch = event.pointee.wd
    unsafe kinds = Kinds(rawValue: event.pointee.mask)
    unsafe cookie = event.pointee.cookie
    let length = unsafe Int(event.pointee.len)
    // The name follows the structure, padded with zeros.
    let start = unsafe UnsafeRawPointer(event) + MemoryLayout<inotify_event>.size
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
    unsafe name = RawPath(bytes: Array(bytes.prefix { $0 != 0 }))
  }
}
