internal import DropEngine
internal import DropSystem

/// A point in time, to the millisecond.
package struct Moment: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Since 1970, without leap seconds.
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Reads RFC 3339; nil when it is none.
  package init?(_ text: String) {
    guard let milliseconds = Timestamp.milliseconds(text) else { return nil }
    self.init(milliseconds: milliseconds)
  }

  package static var now: Moment { Moment(milliseconds: WallClock.milliseconds) }

  /// Whole seconds, rounded down.
  package var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1_000 : -((999 - milliseconds) / 1_000) }

  /// RFC 3339, in UTC, with milliseconds.
  package var description: String { Timestamp.text(milliseconds) }

  package static func < (a: Moment, b: Moment) -> Bool { a.milliseconds < b.milliseconds }
}
