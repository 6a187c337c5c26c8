@testable import DropEngine

extension DeliveryScript {
  static let copyInode: UInt64 = 9
  static let otherInode: UInt64 = 5

  /// The ways of a payload that differ in what is done.
  enum Way: String, CaseIterable, Sendable {
    /// From the zone to a box on the same file system.
    case move
    case moveByHandler
    /// Into the rejects.
    case reject
    /// To a box on another file system, which the rename tells.
    case moveFar
    /// A file with a second name, which is copied.
    case linked
    case rejectFar
    /// The zone's operation is copy.
    case snapshot
    /// The handler asks for a copy of what the zone moves.
    case copyByHandler
    case notYet
    case notYetSnapshot
    /// A reject that is tried again.
    case retry
    case undo
    /// From a box on another file system.
    case undoFar
    /// The original is still in the zone.
    case undoCopy
  }

  /// A delivery from its begin. The payload has the inode 7, and each copy the inode 9.
  init(_ way: Way, _ change: (inout ZoneSettings) -> Void = { _ in }, row: (inout Drop) -> Void = { _ in }) {
    let asksHandler: Set<Way> = [.moveByHandler, .copyByHandler, .notYet, .notYetSnapshot]
    let policy = DeliveryPolicy.test(asksHandler: asksHandler.contains(way), change)
    var drop = Drop.test()
    switch way {
    case .linked: drop.links = 2
    case .snapshot, .notYetSnapshot: drop.becomeCopy()
    case .retry: drop.source = "/box.rejects/a.pdf"
    case .reject, .rejectFar: drop.verdict = .rejected(.handler, message: "no")
    default: break
    }
    row(&drop)
    switch way {
    case .undo, .undoFar, .undoCopy:
      self.init(.undoing(drop, isCopy: way == .undoCopy, policy: policy))
    default: self.init(Delivery(claiming: drop, policy: policy))
    }
    if drop.original != nil { found.origin = .test(drop) }
    switch way {
    case .moveFar, .rejectFar: self = failing("hold -> destination", .otherFileSystem)
    case .undoFar: self = failing("delivered -> origin", .otherFileSystem)
    case .copyByHandler:
      self = answering(
        "ask", .answered(.accepted(HandlerAnswer(operation: .copy)), report: nil, retryAfter: nil))
    case .notYet, .notYetSnapshot:
      self = answering("ask", .answered(.notYet("wait"), report: nil, retryAfter: nil))
    default: break
    }
  }
}

extension DeliveryPolicy {
  static let plain = DeliveryPolicy.test()

  static func test(
    asksHandler: Bool = false, asksConfiguration: Bool = false, _ change: (inout ZoneSettings) -> Void = { _ in }
  ) -> DeliveryPolicy {
    var settings = ZoneSettings(name: "z", path: "/zone", box: "/box")
    change(&settings)
    return DeliveryPolicy(settings: settings, asksHandler: asksHandler, asksConfiguration: asksConfiguration)
  }
}

extension Drop {
  /// A payload of the zone `z`, as it is released.
  static func test(_ state: State = .claiming, operation: DeliveryRules.Operation = .move) -> Drop {
    Drop(
      id: DropID(1), zone: "z", location: "a.pdf", state: state, operation: operation, zonePath: "/zone",
      boxPath: "/box", rejectsPath: "/box.rejects", holdPath: "/hold", entry: "1.pdf", inode: 7, birth: 70, size: 3,
      modified: 10, firstSeen: 1, released: 2, evidence: .lease)
  }

  /// The zone copies: the payload stays, and the hold gets a snapshot of it.
  mutating func becomeCopy() {
    operation = .copy
    original = Original(inode: inode, birth: birth, modified: modified, changed: changed)
  }

  /// The verdict is decided, and so is the name.
  mutating func decide(_ verdict: Verdict = .accepted(message: nil)) {
    self.verdict = verdict
    destinationRoot = isAccepted ? boxPath : rejectsPath
    destinationName = location
  }
}

extension Delivery {
  static func undoing(_ drop: Drop, isCopy: Bool, policy: DeliveryPolicy) -> Delivery {
    var delivered = drop
    delivered.decide()
    let record = ReceiptRecord(verdictOf: delivered, place: delivered.place, finished: 3)
    return Delivery(undoing: record, status: .test(drop), isCopy: isCopy, policy: policy)
      ?? Delivery(drop, policy: policy)
  }
}

extension Delivery.Found {
  /// A file that a name may lead to.
  enum File: Sendable { case payload, copy, other, short }

  /// What recovery finds of a row: the names that lead to a file, and the places that are not there.
  init(_ names: [Delivery.Name: File], of row: Drop = .test(), away: Set<Delivery.Name> = []) {
    self.init()
    for (name, file) in names {
      // A row that has taken over its snapshot no longer has the original's inode.
      let inode = row.original?.inode ?? (row.inode == DeliveryScript.copyInode ? 7 : row.inode)
      let status: FileStatus =
        switch file {
        case .payload: .test(row, inode: inode)
        case .copy: .copy(of: row)
        case .other: .test(row, inode: DeliveryScript.otherInode)
        case .short: .test(row, inode: inode, size: row.size - 1)
        }
      switch name {
      case .hold, .delivered: held = status
      case .origin: origin = status
      case .destination: destination = status
      case .temporary, .halfCopy: temporary = status
      case .reason, .oldReason: break
      }
    }
    isHoldThere = !away.contains(.hold)
    isOriginThere = !away.contains(.origin)
    isBoxThere = !away.contains(.delivered)
    isDestinationThere = !away.contains(.destination)
  }
}
