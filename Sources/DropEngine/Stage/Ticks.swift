/// A moment or a time in nanoseconds: half of a `Duration`, for what is kept of each of very many files.
@propertyWrapper package struct Ticks: Hashable, Sendable {
  private var nanoseconds: Int64

  package init(wrappedValue: Duration) {
    nanoseconds = Self.nanoseconds(wrappedValue)
  }

  package var wrappedValue: Duration {
    get { .nanoseconds(nanoseconds) }
    set { nanoseconds = Self.nanoseconds(newValue) }
  }

  /// What is longer than three hundred years is cut to that.
  static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if isTooLong { return seconds < 0 ? .min : .max }
    let (sum, isOver) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isOver ? .max : sum
  }
}

/// The same where there may be none.
@propertyWrapper package struct OptionalTicks: Hashable, Sendable {
  private var nanoseconds: Int64

  package init(wrappedValue: Duration?) {
    nanoseconds = wrappedValue.map { Ticks.nanoseconds($0) } ?? .min
  }

  package var wrappedValue: Duration? {
    get { nanoseconds == .min ? nil : .nanoseconds(nanoseconds) }
    set { nanoseconds = newValue.map { Ticks.nanoseconds($0) } ?? .min }
  }
}
