internal import CLinux
internal import Glibc

/// The descriptors that one thread waits for: poll(2).
///
/// Made anew for each wait, so that nothing in it can be stale; a few dozen at most.
package struct PollSet: Sendable {
  package struct Interest: OptionSet, Sendable {
    package let rawValue: Int16

    package init(rawValue: Int16) {
      self.rawValue = rawValue
    }

    package static let input = Interest(rawValue: Int16(POLLIN))
    package static let output = Interest(rawValue: Int16(POLLOUT))
    /// The other side is gone for good, or the descriptor is broken; always asked for.
    package static let hangUp = Interest(rawValue: Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL))
  }

  private var entries: [pollfd] = []

  package init() {}

  /// Adds a descriptor, which has to stay open until the wait is over.
  package mutating func add(_ number: Int32, _ interest: Interest) {
    entries.append(pollfd(fd: number, events: interest.rawValue, revents: 0))
  }

  /// Waits until one is ready, for `timeout` at most, and says which are and for what, in the order they were added.
  ///
  /// A signal ends the wait with nothing ready.
  package mutating func wait(atMost timeout: Duration? = nil) throws(Errno) -> [Interest] {
    let milliseconds = timeout.map { Self.milliseconds($0) } ?? -1
    guard unsafe poll(&entries, nfds_t(entries.count), milliseconds) >= 0 else {
      let error = Errno.last
      guard error == .interrupted else { throw error }
      return entries.map { _ in [] }
    }
    return entries.map { Interest(rawValue: $0.revents) }
  }

  /// Rounded up: a wait that ends too early would only be begun again.
  private static func milliseconds(_ duration: Duration) -> Int32 {
    guard duration > .zero else { return 0 }
    let (seconds, attoseconds) = duration.components
    guard seconds < 2_000_000 else { return Int32.max }
    return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
