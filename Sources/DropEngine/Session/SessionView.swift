/// A snapshot of what is over a zone, for a configuration and for observers.
package struct SessionView: Hashable, Sendable {
  /// The largest number of listed payloads; `itemsCount` and `bytes` include all.
  package static let itemsLimit = 256

  package var id: DropID
  package var phase: SessionState.Phase
  /// The location of the payload that changed or was released.
  package var location: RawPath
  package var items: [Item]
  package var itemsCount: Int
  package var bytes: Int64
  package var room = Room()
  package var suggestedOperations: Set<LiveOperation> = [.move, .copy]

  /// The free space in the box.
  package struct Room: Hashable, Sendable {
    package var bytes: Int64 = 0
    package var inodes: Int64 = 0

    package init(bytes: Int64 = 0, inodes: Int64 = 0) {
      self.bytes = bytes
      self.inodes = inodes
    }
  }

  package struct Item: Hashable, Sendable {
    package var id: DropID
    package var location: RawPath
    package var bytes: Int64
    package var claimedType: String?
    package var type: String?
    package var grade: Grade
    package var waiting: Waiting?

    package init(
      id: DropID, location: RawPath, bytes: Int64, claimedType: String? = nil, type: String? = nil,
      grade: Grade = .unproved, waiting: Waiting? = nil
    ) {
      self.id = id
      self.location = location
      self.bytes = bytes
      self.claimedType = claimedType
      self.type = type
      self.grade = grade
      self.waiting = waiting
    }
  }

  package init(
    id: DropID, phase: SessionState.Phase, location: RawPath, items: [Item], itemsCount: Int, bytes: Int64
  ) {
    self.id = id
    self.phase = phase
    self.location = location
    self.items = items
    self.itemsCount = itemsCount
    self.bytes = bytes
  }
}
