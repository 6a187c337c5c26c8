import DropEngine
import DropSystem

/// Reads the kernel's events, keeps the tree as they say, and asks for an inspection of each name they are about.
///
/// Events only say where to look: a name is inspected once a batch, however many events there were, and the inspection
/// decides.
final class EventReader {
  /// The kernel's queue has as many places, as a rule.
  private static let limit = 16_384

  private let zones: ZoneRegistry
  private let tree: DirectoryTree
  private let kernel: KernelWatch
  private let inspector: PayloadInspector
  private let scanner: DirectoryScanner
  private let log: any FlowLog
  /// How often the kernel has lost events.
  private(set) var overflows = 0

  init(
    zones: ZoneRegistry, tree: DirectoryTree, kernel: KernelWatch, inspector: PayloadInspector,
    scanner: DirectoryScanner, log: any FlowLog
  ) {
    self.zones = zones
    self.tree = tree
    self.kernel = kernel
    self.inspector = inspector
    self.scanner = scanner
    self.log = log
  }

  /// Reads the events that have arrived; returns false if there are more, which others should not wait for.
  func read(at now: Duration) -> Bool {
    let (events, isAll) = kernel.takeEvents(limit: Self.limit)
    for event in events { take(event, at: now) }
    // The kernel reports the two halves of a rename one after the other: between them it may look as if all were read.
    scanner.renames.forgetUntrusted(at: now)
    return isAll
  }

  private func take(_ event: WatchEvent, at now: Duration) {
    if event.kinds.contains(.overflow) { return takeOverflow() }
    guard let id = tree.id(ofWatch: event.watch), let node = tree[id] else { return }
    if event.name.isEmpty { return takeDirectoryItself(id, node, event) }
    if event.kinds.contains(.directory) { return takeSubdirectory(event, id, node, at: now) }
    let key = PayloadKey(directory: id, name: event.name)
    let hint = hint(of: event, node, at: now)
    if event.isDeparture, !inspector.isKnown(key, in: node.zone) { return }
    inspector.inspect(key, hint)
  }

  private func takeOverflow() {
    overflows += 1
    log.notice("events were lost: every zone is scanned", zone: "", id: nil, location: nil)
    for zone in zones.all { scanner.scan(zone) }
  }

  private func takeDirectoryItself(_ id: Int32, _ node: DirectoryNode, _ event: WatchEvent) {
    if event.kinds.contains(.ended) {
      tree.setWatch(nil, of: id)
      if let parent = node.parent { scanner.scan(parent, deep: false) }
    }
    let isGoing = !event.kinds.isDisjoint(with: [.deletedSelf, .movedSelf, .unmounted, .ended])
    if isGoing, node.parent == nil { scanner.checkRoot(of: node.zone) }
  }

  private func takeSubdirectory(_ event: WatchEvent, _ parent: Int32, _ node: DirectoryNode, at now: Duration) {
    let key = PayloadKey(directory: parent, name: event.name)
    if event.kinds.contains(.movedFrom) {
      guard let child = node.children[event.name] else { return }
      scanner.renames.addDirectory(child, at: tree.location(of: child), cookie: event.cookie, at: now)
      tree.detach(child)
    } else if event.kinds.contains(.movedTo), let moved = scanner.renames.takeDirectory(cookie: event.cookie) {
      let kind = node.nameKind(of: event.name)
      guard tree[moved.id]?.zone === node.zone, node.zone.settings.recursive, kind != .junk else {
        scanner.drop(moved.id, at: moved.location)
        return inspector.inspect(key, [], .directory)
      }
      if let old = node.children[event.name] { scanner.drop(old) }
      tree.attach(moved.id, to: parent, as: event.name, isTemporary: kind.isTemporary)
      scanner.scan(moved.id, deep: true)
    } else {
      if event.kinds.contains(.deleted), let child = node.children[event.name] { scanner.drop(child) }
      inspector.inspect(key, [], .directory)
    }
  }

  private func hint(of event: WatchEvent, _ node: DirectoryNode, at now: Duration) -> StagingHint {
    var hint: StagingHint = []
    if !event.kinds.isDisjoint(with: [.created, .modified]) { hint.insert(.written) }
    if event.kinds.contains(.closedAfterWrite) { hint.insert(.closed) }
    if event.kinds.contains(.movedFrom), node.nameKind(of: event.name).renamesFailures {
      scanner.renames.addUntrusted(cookie: event.cookie, zone: ObjectIdentifier(node.zone), at: now)
    }
    if event.kinds.contains(.movedTo) {
      hint.insert(.renamed)
      if scanner.renames.takeUntrusted(cookie: event.cookie, zone: ObjectIdentifier(node.zone)) {
        hint.insert(.fromUntrusted)
      }
    }
    return hint
  }
}

extension WatchEvent {
  /// Whether it says that a name is free, and nothing else.
  fileprivate var isDeparture: Bool { kinds == .movedFrom || kinds == .deleted }
}
