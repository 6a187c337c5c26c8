/// A payload in hand: what the ledger's row says of it from the claim to the receipt.
package struct Drop: Hashable, Sendable {
  package var id: DropID
  /// Shared with the other payloads of its batch.
  private var places: DropPlaces
  /// Relative to the zone's root.
  package var location: RawPath
  package var state: State
  package var operation: DeliveryRules.Operation
  /// Its name in the hold: the id and a harmless extension.
  package var entry: String
  /// The directory it was put into; nil in a row of the first release.
  package var holdIdentity: StoredIdentity?
  package var inode: UInt64
  package var birth: Int64
  package var size: Int64
  package var modified: Int64
  /// The change time after the claim; the verdict is about the file as it was then.
  package var changed: Int64 = 0
  package var links: UInt32 = 1
  /// The handler's attempts so far, including the current one.
  package var attempts = 0
  /// How many starts of the daemon found the payload where a crash had left it.
  package var starts = 0
  /// Milliseconds since 1970.
  package var firstSeen: Int64
  package var released: Int64
  package var evidence: Evidence
  package var afterCrash = false
  package var isForced = false
  /// Its number in the session in which it arrived, from 1; a restart does not change it.
  package var ordinal = 1
  /// Its absolute path in the rejects or the box, if it did not come from its zone.
  package var source: RawPath?
  /// For a copy, the original, which stays where its sender put it.
  package var original: Original?
  package var type: String?
  package var claimedType: String?
  package var grade: Grade?
  package var sha256: String?
  package var verdict: Verdict?
  /// Where it goes: the box or the rejects, a directory below that, and the name there.
  package var destinationRoot: String?
  package var destinationDirectory = RawPath(bytes: [])
  package var destinationName: RawPath?
  /// The inode of the copy that was made on another file system.
  package var copyInode: UInt64?
  package var warnings: [String] = []
  package var handler: Receipt.HandlerReport?

  /// How far the payload has come. Recovery relies on the order, and on what is durable in each state.
  package enum State: String, Hashable, Sendable {
    case claiming, placing, copied, placed, returning
    /// The copy is about to be removed from the box by `undo`.
    case removing
  }

  package struct Original: Hashable, Sendable {
    package var inode: UInt64
    package var birth: Int64
    package var modified: Int64
    package var changed: Int64
    /// What the original had when it was copied; set once the copy differs from it.
    package var size: Int64?
    package var sha256: String?

    package init(inode: UInt64, birth: Int64, modified: Int64, changed: Int64) {
      self.inode = inode
      self.birth = birth
      self.modified = modified
      self.changed = changed
    }
  }

  package enum Verdict: Hashable, Sendable {
    case accepted(message: String?)
    case rejected(ReasonCode, message: String)
  }

  package init(
    id: DropID, in places: DropPlaces, location: RawPath, state: State, operation: DeliveryRules.Operation,
    entry: String, inode: UInt64, birth: Int64, size: Int64, modified: Int64, firstSeen: Int64, released: Int64,
    evidence: Evidence
  ) {
    self.id = id
    self.places = places
    self.location = location
    self.state = state
    self.operation = operation
    self.entry = entry
    self.inode = inode
    self.birth = birth
    self.size = size
    self.modified = modified
    self.firstSeen = firstSeen
    self.released = released
    self.evidence = evidence
  }

  package init(
    id: DropID, zone: String, location: RawPath, state: State, operation: DeliveryRules.Operation, zonePath: String,
    boxPath: String, rejectsPath: String, holdPath: String, entry: String, inode: UInt64, birth: Int64, size: Int64,
    modified: Int64, firstSeen: Int64, released: Int64, evidence: Evidence
  ) {
    let places = DropPlaces(
      zone: zone, zonePath: zonePath, boxPath: boxPath, rejectsPath: rejectsPath, holdPath: holdPath)
    self.init(
      id: id, in: places, location: location, state: state, operation: operation, entry: entry, inode: inode,
      birth: birth, size: size, modified: modified, firstSeen: firstSeen, released: released, evidence: evidence)
  }

  package var zone: String { places.zone }
  package var zonePath: String { places.zonePath }
  package var boxPath: String { places.boxPath }
  package var rejectsPath: String { places.rejectsPath }
  package var holdPath: String { places.holdPath }

  /// Names another hold.
  package mutating func move(toHold path: String) {
    places = DropPlaces(
      zone: zone, zonePath: zonePath, boxPath: boxPath, rejectsPath: rejectsPath, holdPath: path)
  }

  /// Adds warnings that it does not have yet; a step that is tried again fails in the same ways.
  package mutating func warn(_ new: [String]) {
    for warning in new where !warnings.contains(warning) { warnings.append(warning) }
  }

  /// Whether it goes to the box.
  package var isAccepted: Bool {
    if case .accepted? = verdict { true } else { false }
  }

  /// The row once the receipt is written, and only the source is left to remove.
  package var placed: Drop {
    var drop = self
    drop.state = .placed
    return drop
  }

  /// The absolute path of its destination, once that is decided.
  package var place: RawPath? {
    guard let destinationRoot, let destinationName else { return nil }
    return RawPath(destinationRoot).appending(destinationDirectory).appending(destinationName)
  }

  /// Whether the box gets a copy because the handler asked for one, so that the file in the hold goes back to the zone.
  /// If the operation was copy at the release, the original has never left the zone.
  package var returnsOriginal: Bool { operation == .copy && original == nil && source == nil && isAccepted }

  /// Returns a payload's name in the hold: handlers see an extension, and never a name that a sender chose.
  package static func entry(for id: DropID, name: RawPath) -> String {
    guard let ext = name.fileExtension, !ext.isEmpty, ext.bytes.count <= 10 else { return id.description }
    let lower = ext.bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    let isHarmless = lower.allSatisfy {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    return isHarmless ? id.description + "." + String(decoding: lower, as: UTF8.self) : id.description
  }
}

/// The zone of a drop and its absolute paths at the time of the claim; a reload changes them for later payloads only.
///
/// This is a class because many drops share one, and each drop is copied often.
package final class DropPlaces: Hashable, Sendable {
  package let zone: String
  package let zonePath: String
  package let boxPath: String
  package let rejectsPath: String
  package let holdPath: String

  package init(zone: String, zonePath: String, boxPath: String, rejectsPath: String, holdPath: String) {
    self.zone = zone
    self.zonePath = zonePath
    self.boxPath = boxPath
    self.rejectsPath = rejectsPath
    self.holdPath = holdPath
  }

  package static func == (a: DropPlaces, b: DropPlaces) -> Bool {
    a === b
      || (a.zone, a.zonePath, a.boxPath, a.rejectsPath, a.holdPath)
        == (b.zone, b.zonePath, b.boxPath, b.rejectsPath, b.holdPath)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(zone)
    hasher.combine(zonePath)
    hasher.combine(holdPath)
  }
}
