/// What a zone knows of files that are not staged now, and that may turn up in it.
package struct KnownFiles: Sendable {
  /// Payloads that have left their names.
  package var departed = DepartedPayloads()
  /// Where payloads in flight were when their directory left the tree; nil where the whole zone did.
  package var leaving: [PayloadKey: RawPath?] = [:]
  /// What belongs to files that are about to reappear.
  private var returning: [FileIdentity: (origin: StagedPayload.Origin, since: Duration)] = [:]
  /// What was known before a restart, by inode.
  private var earlier: [UInt64: AttemptCount]

  package init(earlier: [AttemptCount] = []) {
    self.earlier = Dictionary(earlier.map { ($0.inode, $0) }) { first, _ in first }
  }

  /// How many files are expected to reappear.
  package var expectedCount: Int { returning.count }

  /// Notes that a file is about to reappear, and what belongs to it.
  package mutating func expect(_ file: FileIdentity, _ origin: StagedPayload.Origin, at now: Duration) {
    returning[file] = (origin, now)
    earlier[file.inode] = nil
  }

  /// The same for all payloads of a zone whose tree is taken down.
  package mutating func expectAll(_ origins: [FileIdentity: StagedPayload.Origin], at now: Duration) {
    for (file, origin) in origins { returning[file] = (origin, now) }
  }

  /// Returns what is known of a file that has turned up, and forgets it.
  ///
  /// - Parameter firstSeen: When it was seen, in milliseconds since 1970.
  package mutating func takeOrigin(
    of file: FileIdentity, firstSeen: @autoclosure () -> Int64
  ) -> StagedPayload.Origin? {
    let kept = returning.removeValue(forKey: file)?.origin
    let note = earlier.removeValue(forKey: file.inode)
    if let left = departed.take(file) {
      return StagedPayload.Origin(
        id: left.id, firstSeen: left.firstSeen, attempts: left.attempts, starts: left.starts,
        ordinal: left.ordinal)
    }
    if let kept { return kept }
    guard let note, note.birth == file.birth || note.birth == 0 else { return nil }
    return StagedPayload.Origin(
      id: note.id, firstSeen: firstSeen(), attempts: note.attempts, starts: note.starts, ordinal: note.ordinal)
  }

  /// Forgets files that have been expected for `limit` and did not reappear.
  package mutating func forgetExpected(for limit: Duration, at now: Duration) {
    returning = returning.filter { $0.value.since + limit > now }
  }

  /// Returns what is left from before the restart, and forgets it: a complete scan has not met these files.
  package mutating func takeEarlier() -> [AttemptCount] {
    defer { earlier = [:] }
    return Array(earlier.values)
  }
}
