internal import DropEngine
internal import DropSystem

/// A point in time on the wall clock, to the millisecond.
package struct WallTime: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Milliseconds since 1970, without leap seconds.
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Parses RFC 3339; nil if `text` is something else.
  package init?(_ text: String) {
    guard let milliseconds = Timestamp.milliseconds(text) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  package static var now: WallTime { WallTime(milliseconds: WallClock.milliseconds) }

  /// Whole seconds, rounded down.
  package var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1_000 : -((999 - milliseconds) / 1_000) }

  /// The time in RFC 3339, in UTC, with milliseconds.
  package var description: String { Timestamp.text(milliseconds) }

  package static func < (a: WallTime, b: WallTime) -> Bool { a.milliseconds < b.milliseconds }
}
