/// What is over a zone now: a value, true at the moment it was made.
///
/// A session begins when a payload arrives over an idle zone and ends when none does any more.
public struct DropSession: Identifiable, Hashable, Sendable {
  /// Tells it from all other sessions, of other zones and days too.
  public let id: ID
  /// How far it is.
  public let phase: Phase
  /// Where the payload that changed lies, relative to the zone.
  public let location: DropPath
  /// What is staged, in the order of its arrival.
  public let items: [Item]
  /// How many are staged.
  public let itemsCount: Int
  /// How many bytes are there so far, of all of them.
  public let payloadBytes: Int64
  /// The room in the box.
  public let size: Size
  /// What the source of the payload that changed permits: no `.move` for what cannot be unlinked.
  public let suggestedOperations: DropOperation.Set
  /// The program on this machine that stages it with `dropzone put`.
  public let localSession: LocalSession?

  package init(
    id: ID, phase: Phase, location: DropPath, items: [Item], itemsCount: Int, payloadBytes: Int64, size: Size,
    suggestedOperations: DropOperation.Set, localSession: LocalSession?
  ) {
    self.id = id
    self.phase = phase
    self.location = location
    self.items = items
    self.itemsCount = itemsCount
    self.payloadBytes = payloadBytes
    self.size = size
    self.suggestedOperations = suggestedOperations
    self.localSession = localSession
  }

  /// A session with one payload and a box without limits, to try a configuration without a daemon.
  ///
  ///     #expect(board.configuration(DropSession(location: "Done/7.card")) == .forbidden("Done is locked"))
  public init(
    location: DropPath, phase: Phase = .active, byteCount: Int64 = 0, type: ContentType? = nil,
    suggestedOperations: DropOperation.Set = [.move, .copy]
  ) {
    let item = Item(
      id: Item.ID("1"), location: location, byteCount: byteCount, claimedType: ContentType(claimedBy: location),
      type: type, grade: type == nil ? .unproved : .proved, waiting: nil)
    self.init(
      id: ID("1"), phase: phase, location: location, items: [item], itemsCount: 1, payloadBytes: byteCount,
      size: Size(bytes: .max, inodes: .max), suggestedOperations: suggestedOperations, localSession: nil)
  }

  /// Whether the zone is lit.
  public var isTargeted: Bool {
    switch phase {
    case .entering, .active: true
    case .exiting, .ended, .dataTransferCompleted: false
    }
  }

  /// The payload at `location`; nil when it is no longer among the items.
  public var item: Item? { items.first { $0.location == location } }

  /// Where each of the items lies, relative to the zone.
  public var locations: [DropPath] { items.map(\.location) }
}

extension DropSession {
  /// Tells a session from all others.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The same in the journal.
    public let description: String

    package init(_ description: String) {
      self.description = description
    }
  }

  /// How far a session is; later releases may add phases.
  @nonexhaustive public enum Phase: Hashable, Sendable {
    /// Its first payload has been seen.
    case entering
    /// Something arrives.
    case active
    /// Nothing arrives any more; what was released is in hand.
    case exiting
    /// Decided: move or copy when anything was taken, forbidden when all was refused, cancel when all was withdrawn.
    case ended(DropOperation)
    /// All that was taken is in the box, and all that was refused in the rejects.
    case dataTransferCompleted
  }

  /// The room in a box.
  public struct Size: Hashable, Sendable {
    /// Bytes that are free.
    public let bytes: Int64
    /// Files that can still be made.
    public let inodes: Int64

    package init(bytes: Int64, inodes: Int64) {
      self.bytes = bytes
      self.inodes = inodes
    }
  }

  /// The program on this machine that stages a payload with `dropzone put`.
  public struct LocalSession: Hashable, Sendable {
    /// Its process.
    public let processID: Int32

    package init(processID: Int32) {
      self.processID = processID
    }
  }
}
