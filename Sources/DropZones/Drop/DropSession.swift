/// What is over a zone: a value that was correct at the moment it was created.
///
/// A session begins when a payload arrives over an idle zone, and ends when no payload is arriving any longer.
public struct DropSession: Identifiable, Hashable, Sendable {
  /// The id of the session, which is unique across all zones and times.
  public let id: ID
  /// The phase that the session is in.
  public let phase: Phase
  /// The path of the payload that changed, relative to the zone.
  public let location: DropPath
  /// The staged payloads, in the order of their arrival.
  public let items: [Item]
  /// The number of staged payloads.
  public let itemsCount: Int
  /// The total number of bytes that have arrived so far.
  public let payloadBytes: Int64
  /// The room in the box.
  public let size: Size
  /// What the source of the payload that changed permits. It lacks `.move` if the payload cannot be removed from the zone.
  public let suggestedOperations: DropOperation.Set
  /// The program on this machine that stages the payload with `dropzone put`.
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

  /// Creates a session with one payload and an unlimited box, for testing a configuration without a daemon.
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

  /// The payload at `location`; nil if it is no longer among the items.
  public var item: Item? { items.first { $0.location == location } }

  /// The paths of the items, relative to the zone.
  public var locations: [DropPath] { items.map(\.location) }
}

extension DropSession {
  /// The identity of a session.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The id as in the journal.
    public let description: String

    package init(_ description: String) {
      self.description = description
    }
  }

  /// The phase of a session; later releases may add phases.
  @nonexhaustive public enum Phase: Hashable, Sendable {
    /// The first payload has been seen.
    case entering
    /// A payload is arriving.
    case active
    /// Nothing is arriving any longer, and released payloads are being handled.
    case exiting
    /// All payloads have been decided on. The operation is move or copy if any was taken, forbidden if all were refused,
    /// and cancel if all were withdrawn.
    case ended(DropOperation)
    /// All accepted payloads are in the box, and all refused payloads are in the rejects.
    case dataTransferCompleted
  }

  /// The room in a box.
  public struct Size: Hashable, Sendable {
    /// The number of free bytes.
    public let bytes: Int64
    /// The number of files that can still be created.
    public let inodes: Int64

    package init(bytes: Int64, inodes: Int64) {
      self.bytes = bytes
      self.inodes = inodes
    }
  }

  /// The program on this machine that stages a payload with `dropzone put`.
  public struct LocalSession: Hashable, Sendable {
    /// The process id of the program.
    public let processID: Int32

    package init(processID: Int32) {
      self.processID = processID
    }
  }
}
