/// Why a name is inspected.
package struct InspectionPurpose: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Its payload is complete unless somebody has it open for writing.
  package static let writers = InspectionPurpose(rawValue: 1)
  /// Its payload's time has come: it needs an answer, whatever the outcome.
  package static let due = InspectionPurpose(rawValue: 2)
  /// A complete scan of its directory has not met it.
  package static let unseen = InspectionPurpose(rawValue: 4)
  /// It is a directory's, which is to be opened.
  package static let directory = InspectionPurpose(rawValue: 8)
  /// The file system is to show that it still answers.
  package static let probe = InspectionPurpose(rawValue: 16)
}

/// Names that are to be inspected, in order, each once however many events and deadlines it had.
package struct InspectionQueue: Sendable {
  package struct Entry: Hashable, Sendable {
    package var hint: StagingHint
    package var purpose: InspectionPurpose
    /// The scan that asks for it; 0 if none does.
    package var generation: UInt64

    package init(hint: StagingHint = [], purpose: InspectionPurpose = [], generation: UInt64 = 0) {
      self.hint = hint
      self.purpose = purpose
      self.generation = generation
    }
  }

  private var order = Queue<PayloadKey>()
  private var entries: [PayloadKey: Entry] = [:]
  /// How many of the names a scan has not met.
  package private(set) var unseenCount = 0

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }
  package var count: Int { entries.count }

  package func contains(_ key: PayloadKey) -> Bool { entries[key] != nil }

  /// Returns whether the name was not in the queue.
  @discardableResult package mutating func add(
    _ key: PayloadKey, _ hint: StagingHint = [], _ purpose: InspectionPurpose = [], generation: UInt64 = 0
  ) -> Bool {
    var entry = entries[key] ?? Entry()
    if purpose.contains(.unseen), !entry.purpose.contains(.unseen) { unseenCount += 1 }
    entry.hint.formUnion(hint)
    entry.purpose.formUnion(purpose)
    entry.generation = max(entry.generation, generation)
    let isNew = entries.updateValue(entry, forKey: key) == nil
    if isNew { order.append(key) }
    return isNew
  }

  package mutating func popFirst() -> (key: PayloadKey, entry: Entry)? {
    guard let key = order.popFirst(), let entry = entries.removeValue(forKey: key) else { return nil }
    if entry.purpose.contains(.unseen) { unseenCount -= 1 }
    return (key, entry)
  }
}
