internal import CLinux
internal import Glibc

/// What may hold for a descriptor, with the values of poll(2) and epoll(7).
package struct DescriptorEvents: OptionSet, Sendable {
  package let rawValue: Int16

  package init(rawValue: Int16) {
    self.rawValue = rawValue
  }

  /// It can be read.
  package static let input = DescriptorEvents(rawValue: Int16(POLLIN))
  /// It can be written.
  package static let output = DescriptorEvents(rawValue: Int16(POLLOUT))
  /// It has urgent data, or is a file of the kernel's whose contents have changed, such as the mount table.
  package static let urgent = DescriptorEvents(rawValue: Int16(POLLPRI))
  /// The other end has gone for good, or the descriptor is broken. This is always waited for.
  package static let hangUp = DescriptorEvents(rawValue: Int16(POLLHUP) | Int16(POLLERR) | Int16(POLLNVAL))
}

/// The few descriptors that a thread waits for with poll(2).
///
/// It is filled again for each wait, so nothing in it can be out of date.
package struct PollSet: Sendable {
  private var entries: [pollfd] = []

  package init() {}

  /// Adds a descriptor, which must stay open until the wait is over.
  package mutating func add(_ number: Int32, _ events: DescriptorEvents) {
    entries.append(pollfd(fd: number, events: events.rawValue, revents: 0))
  }

  /// Waits until a descriptor is ready, for `timeout` at most, and returns the events of each, in the order in which they
  /// were added.
  ///
  /// A signal ends the wait without any events.
  package mutating func wait(atMost timeout: Duration? = nil) throws(Errno) -> [DescriptorEvents] {
    let milliseconds = timeout.map { Self.milliseconds($0) } ?? -1
    guard unsafe poll(&entries, nfds_t(entries.count), milliseconds) >= 0 else {
      let error = Errno.last
      guard error == .interrupted else { throw error }
      return entries.map { _ in [] }
    }
    return entries.map { DescriptorEvents(rawValue: $0.revents) }
  }

  /// Rounds up: a wait that ends too early would only begin again.
  private static func milliseconds(_ duration: Duration) -> Int32 {
    guard duration > .zero else { return 0 }
    let (seconds, attoseconds) = duration.components
    guard seconds < 2_000_000 else { return Int32.max }
    return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
