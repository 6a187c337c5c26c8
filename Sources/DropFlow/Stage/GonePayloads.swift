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
  /// No entry is older.
  private(set) var oldest: Duration?

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ payload: StagedPayload, from location: RawPath, at now: Duration) {
    entries[payload.sight.identity, default: []].append(Entry(location: location, payload: payload, since: now))
    oldest = oldest.map { min($0, now) } ?? now
  }

  /// What was known of a file that is there under a name again.
  mutating func take(_ file: FileIdentity) -> StagedPayload? {
    guard let entry = entries[file]?.popLast() else { return nil }
    if entries[file]?.isEmpty == true { entries[file] = nil }
    return entry.payload
  }

  /// Takes out what has been gone since `time` or longer.
  mutating func take(goneSince time: Duration) -> [Entry] {
    guard let oldest, oldest <= time else { return [] }
    var due: [Entry] = []
    for (file, all) in entries {
      due += all.filter { $0.since <= time }
      let rest = all.filter { $0.since > time }
      entries[file] = rest.isEmpty ? nil : rest
    }
    self.oldest = entries.values.lazy.flatMap { $0.map(\.since) }.min()
    return due
  }
}
