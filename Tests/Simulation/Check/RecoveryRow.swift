import DropEngine

/// The rows of the recovery tables (`Sources/DropEngine/Delivery/RecoverPhase.swift`), by what a restart finds.
package enum RecoveryRow {
  static func name(of drop: Drop, _ found: Delivery.Found) -> String {
    let held = matches(found.held, drop)
    let origin = matches(found.origin, drop)
    let placed = matches(found.destination, drop)
    switch drop.state {
    case .claiming where drop.original != nil, .returning where drop.original != nil:
      return "snapshot, " + (drop.verdict == nil ? "no verdict" : "verdict") + (found.held == nil ? ", gone" : "")
    case .claiming:
      if held { return origin ? "claiming, in both" : "claiming, in the hold" }
      if found.held != nil { return "claiming, another file in the hold" }
      return origin ? "claiming, in the zone" : "claiming, nowhere"
    case .placing: return "placing, " + placing(drop, found, held, origin, placed)
    case .copied: return "copied, " + copied(drop, found, held)
    case .placed: return "placed, " + (held ? "in the hold" : origin ? "in the zone" : "no source")
    case .returning where drop.source != nil:
      let isBack = found.origin.map { drop.isBack($0.identity) } ?? false
      return "undoing, " + spot(isBack, held, "zone", "box")
    case .returning: return "returning, " + spot(origin, held, "zone", "hold")
    case .removing: return "removing, " + (held ? "in the box" : "gone")
    }
  }

  private static func spot(_ first: Bool, _ second: Bool, _ one: String, _ two: String) -> String {
    first && second ? "in both" : first ? "in the \(one)" : second ? "in the \(two)" : "nowhere"
  }

  private static func placing(
    _ drop: Drop, _ found: Delivery.Found, _ held: Bool, _ origin: Bool, _ placed: Bool
  ) -> String {
    if held, placed { return "in both" }
    if placed { return "at the destination" }
    if held, found.held?.size != drop.size { return "with another size" }
    if held { return found.temporary == nil ? "in the hold" : "temporary" }
    return origin ? "in the zone" : "nowhere"
  }

  private static func copied(_ drop: Drop, _ found: Delivery.Found, _ held: Bool) -> String {
    let isTemporary = found.temporary?.identity.inode == drop.copyInode
    let isNamed = found.destination?.identity.inode == drop.copyInode
    if isTemporary, isNamed { return "both" }
    if isTemporary { return held ? "temporary" : "temporary, source gone" }
    return isNamed ? "at the destination" : "neither"
  }

  private static func matches(_ status: FileStatus?, _ drop: Drop) -> Bool {
    status?.identity.matches(inode: drop.inode, birth: drop.birth) ?? false
  }
}
