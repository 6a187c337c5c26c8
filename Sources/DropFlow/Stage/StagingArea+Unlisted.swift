import DropEngine
import DropSystem

/// Directories that could not be opened or listed: said once, and tried again, later each time.
extension StagingArea {
  func cannotList(_ id: Int32, _ error: Errno, deep: Bool) {
    guard let node = tree[id], let zone = zones[node.zone] else { return }
    guard !error.saysGone else {
      zone.unlisted[id] = nil
      listParent(id)
      return
    }
    let known = zone.unlisted[id]
    let longest = min(.seconds(60), zone.settings.staging.rescan)
    var back = known.map { min($0.back * 2, longest) } ?? .seconds(1)
    var next = monotonicNow() + back
    // Each name in it that an event is about finds it so.
    if let known, let due = known.next { (back, next) = (known.back, due) }
    zone.unlisted[id] = Unlisted(error: error, back: back, next: next, isDeep: deep || known?.isDeep ?? false)
    touch(node.zone)
    guard known?.error != error else { return }
    log.warning(
      "cannot be listed, tried again in \(back.formatted): \(error)", zone: node.zone, id: nil,
      location: tree.location(of: id))
  }

  /// The way to a directory leads elsewhere or nowhere: what is above it knows.
  func listParent(_ id: Int32) {
    guard let node = tree[id] else { return }
    if let parent = node.parent { enqueueScan(parent, deep: false) } else { enqueueRootCheck(node.zone) }
  }

  /// A directory is being listed: what fails from now on is a failure of this time.
  func isListing(_ id: Int32) {
    guard let name = tree[id]?.zone else { return }
    zones[name]?.unlisted[id]?.next = nil
  }

  func hasListed(_ id: Int32) {
    guard let name = tree[id]?.zone, let unlisted = zones[name]?.unlisted[id], unlisted.next == nil else { return }
    zones[name]?.unlisted[id] = nil
    touch(name)
  }

  func listAgain(in zone: WatchedZone, at now: Duration) {
    for (id, unlisted) in zone.unlisted where (unlisted.next ?? .seconds(Int64.max / 4)) <= now {
      zone.unlisted[id]?.next = nil
      enqueueScan(id, deep: unlisted.isDeep)
    }
  }

  /// Names one of them, and counts the others.
  func unlistedReason(_ zone: WatchedZone) -> String? {
    guard let first = zone.unlisted.min(by: { $0.key < $1.key }) else { return nil }
    let path = RawPath(zone.settings.path).appending(tree.location(of: first.key))
    let others = zone.unlisted.count - 1
    return "'\(path)' cannot be listed: \(first.value.error)"
      + (others == 0 ? "" : others == 1 ? "; nor can another one" : "; nor can \(others) others")
  }

  /// Why nothing is known of what lies at a location, where that is so.
  func unlistedReason(at location: RawPath, in zone: WatchedZone) -> String? {
    guard !zone.unlisted.isEmpty, var id = zone.root else { return nil }
    var components = location.components[...]
    while true {
      if let unlisted = zone.unlisted[id] {
        return components.isEmpty
          ? "it cannot be listed: \(unlisted.error); it is tried again"
          : "its directory cannot be listed: \(unlisted.error); it is tried again"
      }
      guard let part = components.popFirst(), let child = tree[id]?.children[part] else { return nil }
      id = child
    }
  }

  struct Unlisted {
    var error: Errno
    var back: Duration
    /// Nil while it is queued.
    var next: Duration?
    var isDeep: Bool

    /// Whether it is a matter of rights, which somebody has to give: nobody waits for that.
    var isForbidden: Bool { error == .access || error == .notPermitted }
  }
}

extension Errno {
  /// Whether another thing or nothing has the name by now; any other error says nothing about that.
  var saysGone: Bool { [.noEntry, .stale, .notDirectory, .loop, .crossDevice].contains(self) }

  /// Whether it says nothing of what was looked at.
  var isPassing: Bool { !saysGone && ![.access, .notPermitted, .nameTooLong].contains(self) }
}
