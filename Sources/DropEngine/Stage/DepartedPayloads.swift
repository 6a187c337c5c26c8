/// Payloads that have left their names, until it is known whether their files turn up under other names or are gone.
package struct DepartedPayloads: Sendable {
  package struct Entry: Sendable {
    package let location: RawPath
    package let payload: StagedPayload
    let since: Duration
  }

  /// How long a file may take to turn up under another name.
  package static let grace = Duration.milliseconds(100)
  /// The same for a file that is renamed faster than it can be inspected.
  static let longestGrace = Duration.seconds(10)

  /// By file, which may have had several names.
  private var entries: [FileIdentity: [Entry]] = [:]
  /// How many of them were arriving.
  package private(set) var arriving = 0
  /// No entry is older.
  private var oldest: Duration?
  /// When a file had left the name that it had been renamed to: it may be on its way to yet another name.
  private var missed: Duration?

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  package mutating func add(_ payload: StagedPayload, from location: RawPath, at now: Duration) {
    entries[payload.status.identity, default: []].append(Entry(location: location, payload: payload, since: now))
    if payload.waiting.isArriving { arriving += 1 }
    oldest = oldest.map { min($0, now) } ?? now
  }

  /// Notes that a file was renamed to a name that it had left again when the name was inspected.
  package mutating func missRename(at now: Duration) {
    if oldest != nil { missed = now }
  }

  /// Returns what was known of a file that has turned up, and forgets it.
  package mutating func take(_ file: FileIdentity) -> StagedPayload? {
    guard let entry = entries[file]?.popLast() else { return nil }
    if entries[file]?.isEmpty == true { entries[file] = nil }
    if entry.payload.waiting.isArriving { arriving -= 1 }
    return entry.payload
  }

  /// When the first entry is due, unless its file turns up.
  package var deadline: Duration? {
    oldest.map { max($0, min(missed ?? $0, $0 + Self.longestGrace)) + Self.grace }
  }

  /// Takes out the payloads whose files have not turned up in time.
  package mutating func takeDue(at now: Duration) -> [Entry] {
    guard let deadline, deadline <= now else { return [] }
    let isHurried = missed.map { $0 + Self.grace > now } ?? false
    let time = now - Self.grace - (isHurried ? Self.longestGrace : .zero)
    var due: [Entry] = []
    for (file, all) in entries {
      due += all.filter { $0.since <= time }
      let rest = all.filter { $0.since > time }
      entries[file] = rest.isEmpty ? nil : rest
    }
    oldest = entries.values.lazy.flatMap { $0.map(\.since) }.min()
    if oldest == nil { missed = nil }
    arriving -= due.count { $0.payload.waiting.isArriving }
    return due
  }
}
