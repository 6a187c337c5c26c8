import DropEngine

/// Payloads that are gone from their names, until it is known where their files are: under another name, where they go
/// on as what they were, or out of the zone.
struct GonePayloads {
  struct Entry {
    let location: RawPath
    let payload: StagedPayload
    let since: Duration
  }

  /// By file, which may have had several names.
  private var entries: [FileIdentity: [Entry]] = [:]
  /// Those among them that were arriving.
  private(set) var arriving = 0
  /// No entry is older.
  private var oldest: Duration?
  /// When a name that a file had been renamed to was found free again: it may be on its way to yet another.
  private var missed: Duration?

  /// How long a file may take to turn up.
  static let grace = Duration.milliseconds(100)
  /// The same for one that is renamed faster than it can be looked at.
  static let longestGrace = Duration.seconds(10)

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ payload: StagedPayload, from location: RawPath, at now: Duration) {
    entries[payload.status.identity, default: []].append(Entry(location: location, payload: payload, since: now))
    if payload.waiting.isArriving { arriving += 1 }
    oldest = oldest.map { min($0, now) } ?? now
  }

  /// A file has been renamed to a name, and that is free again.
  mutating func missRename(at now: Duration) {
    if oldest != nil { missed = now }
  }

  /// What was known of a file that is there under a name again.
  mutating func take(_ file: FileIdentity) -> StagedPayload? {
    guard let entry = entries[file]?.popLast() else { return nil }
    if entries[file]?.isEmpty == true { entries[file] = nil }
    if entry.payload.waiting.isArriving { arriving -= 1 }
    return entry.payload
  }

  /// When something is gone for good, if nothing turns up.
  var deadline: Duration? {
    oldest.map { max($0, min(missed ?? $0, $0 + Self.longestGrace)) + Self.grace }
  }

  /// Takes out what is gone for good.
  mutating func takeDue(at now: Duration) -> [Entry] {
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
