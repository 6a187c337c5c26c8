extension Delivery {
  /// Where the payload's names lead, as far as the places that they are in can be seen.
  package struct Found: Hashable, Sendable {
    package var held: FileStatus?
    package var origin: FileStatus?
    package var destination: FileStatus?
    package var temporary: FileStatus?
    package var isHoldThere = true
    /// Whether the zone, or the rejects for a reject that is tried again, is there; below a bare mount point it is not.
    package var isOriginThere = true
    package var isBoxThere = true
    package var isDestinationThere = true

    package init() {}
  }
}

extension Delivery.Found {
  /// Whether a hold is missing because what it lies on is: it will be there again, with what it holds.
  var isHoldAway: Bool { !isHoldThere && !(isOriginThere && isBoxThere) }

  func hasOriginal(of drop: Drop) -> Bool {
    guard let original = drop.original else { return false }
    return origin?.identity.matches(inode: original.inode, birth: original.birth) ?? false
  }

  func isHeld(_ drop: Drop) -> Bool { Self.matches(held, drop) }
  func isInOrigin(_ drop: Drop) -> Bool { Self.matches(origin, drop) }
  func isPlaced(_ drop: Drop) -> Bool { Self.matches(destination, drop) }

  private static func matches(_ status: FileStatus?, _ drop: Drop) -> Bool {
    status?.identity.matches(inode: drop.inode, birth: drop.birth) ?? false
  }
}
