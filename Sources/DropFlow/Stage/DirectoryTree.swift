import DropEngine
import DropSystem

/// The watched directories, by their own numbers and by their watches.
///
/// The library's table of paths goes stale when directories are renamed; this one does not.
final class DirectoryTree {
  private var nodes: [Int32: DirectoryNode] = [:]
  private var byWatch: [Int32: Int32] = [:]
  private var nextID: Int32 = 1

  var count: Int { nodes.count }
  var watchCount: Int { byWatch.count }

  subscript(id: Int32) -> DirectoryNode? { nodes[id] }

  func id(ofWatch watch: Int32) -> Int32? { byWatch[watch] }

  func insert(_ node: DirectoryNode) -> Int32 {
    let id = nextID
    nextID += 1
    nodes[id] = node
    if let watch = node.watch { byWatch[watch] = id }
    if let parent = node.parent { nodes[parent]?.children[node.name] = id }
    return id
  }

  func setWatch(_ watch: Int32?, of id: Int32) {
    if let old = nodes[id]?.watch, byWatch[old] == id { byWatch[old] = nil }
    nodes[id]?.watch = watch
    if let watch { byWatch[watch] = id }
  }

  /// Removes a directory and everything below it; returns what was removed, and where it was.
  ///
  /// - Parameter location: Where a detached directory was, which does not know its location any longer.
  func remove(
    _ id: Int32, at location: RawPath? = nil
  ) -> [(id: Int32, node: DirectoryNode, location: RawPath)] {
    var rest = [(id, location ?? self.location(of: id))]
    detach(id)
    var removed: [(Int32, DirectoryNode, RawPath)] = []
    while let (id, location) = rest.popLast() {
      guard let node = nodes.removeValue(forKey: id) else { continue }
      if let watch = node.watch, byWatch[watch] == id { byWatch[watch] = nil }
      for (name, child) in node.children { rest.append((child, location.appending(name))) }
      removed.append((id, node, location))
    }
    return removed
  }

  /// Takes a directory away from its parent and keeps it: it is on its way to another name.
  func detach(_ id: Int32) {
    guard let node = nodes[id], let parent = node.parent else { return }
    if nodes[parent]?.children[node.name] == id { nodes[parent]?.children[node.name] = nil }
    node.parent = nil
  }

  func attach(_ id: Int32, to parent: Int32, as name: RawPath, isTemporary: Bool) {
    guard let above = nodes[parent] else { return }
    nodes[id]?.parent = parent
    nodes[id]?.name = name
    nodes[parent]?.children[name] = id
    update(id, depth: above.depth + 1, isTemporary: isTemporary)
  }

  private func update(_ id: Int32, depth: Int, isTemporary: Bool) {
    nodes[id]?.depth = depth
    nodes[id]?.isTemporary = isTemporary
    for child in nodes[id].map({ Array($0.children.values) }) ?? [] {
      update(child, depth: depth + 1, isTemporary: isTemporary)
    }
  }

  /// The path of a directory relative to its zone's root.
  func location(of id: Int32) -> RawPath {
    var parts: [RawPath] = []
    var next = id
    while let node = nodes[next], let parent = node.parent {
      parts.append(node.name)
      next = parent
    }
    return parts.reversed().reduce(RawPath(bytes: [])) { $0.appending($1) }
  }

  /// The directory at a location, if it is known.
  func find(_ location: RawPath, from root: Int32) -> Int32? {
    var id = root
    for part in location.components {
      guard let child = nodes[id]?.children[part] else { return nil }
      id = child
    }
    return id
  }

  /// The key of the payload at a location, if its directory is known.
  func key(of location: RawPath, from root: Int32) -> PayloadKey? {
    find(location.parent, from: root).map { PayloadKey(directory: $0, name: location.lastComponent) }
  }

  func location(of key: PayloadKey) -> RawPath { location(of: key.directory).appending(key.name) }

  /// Where the mount, or the subvolume, that a directory lies on begins below its zone; empty for the zone's own.
  func mountLocation(of id: Int32) -> RawPath {
    guard let node = nodes[id], let root = node.zone.root.directory, let top = nodes[root],
      !node.ground.isSame(as: top.ground)
    else { return RawPath(bytes: []) }
    var first = id
    while let parent = nodes[first]?.parent, nodes[parent]?.ground.isSame(as: node.ground) == true { first = parent }
    return location(of: first)
  }

  /// The first directory of each file system that a zone is on.
  func grounds(of zone: WatchedZone) -> [(id: Int32, node: DirectoryNode)] {
    guard let root = zone.root.directory, let node = nodes[root] else { return [] }
    var grounds = [(root, node)]
    for location in zone.coverage.mounts.keys {
      if let id = find(location, from: root), let node = nodes[id] { grounds.append((id, node)) }
    }
    return grounds
  }

  /// How to open a directory.
  func route(to id: Int32) -> DirectoryRoute? {
    guard let node = nodes[id] else { return nil }
    return DirectoryRoute(
      root: RawPath(node.zone.root.path), location: location(of: id), identity: node.identity, kind: node.kind)
  }
}
