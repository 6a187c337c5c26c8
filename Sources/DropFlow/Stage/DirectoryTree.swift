import DropEngine
import DropSystem

/// One watched directory of a zone.
struct DirectoryNode {
  let zone: String
  var parent: Int32?
  var name: RawPath
  var identity: FileIdentity
  var mount: UInt64
  var kind: FileSystemKind
  var watch: Int32?
  var depth: Int
  /// A temporary name here or above: what lies below is staged and never released.
  var isTemporary: Bool
  var children: [RawPath: Int32] = [:]
  var generation: UInt32 = 0
  /// Where events do not tell all: when it is scanned next, and how long after that.
  var nextScan: Duration?
  var scanInterval = Duration.seconds(5)
}

/// The directories that are watched, by their own numbers and by their watches.
///
/// The library's own table of paths goes stale when directories are renamed; this one does not.
struct DirectoryTree {
  private(set) var nodes: [Int32: DirectoryNode] = [:]
  private var byWatch: [Int32: Int32] = [:]
  private var nextID: Int32 = 1

  var count: Int { nodes.count }
  var watchCount: Int { byWatch.count }

  subscript(id: Int32) -> DirectoryNode? {
    get { nodes[id] }
    set { nodes[id] = newValue }
  }

  func id(ofWatch watch: Int32) -> Int32? { byWatch[watch] }

  mutating func insert(_ node: DirectoryNode) -> Int32 {
    let id = nextID
    nextID += 1
    nodes[id] = node
    if let watch = node.watch { byWatch[watch] = id }
    if let parent = node.parent { nodes[parent]?.children[node.name] = id }
    return id
  }

  mutating func setWatch(_ watch: Int32?, of id: Int32) {
    if let old = nodes[id]?.watch, byWatch[old] == id { byWatch[old] = nil }
    nodes[id]?.watch = watch
    if let watch { byWatch[watch] = id }
  }

  /// Takes a directory and everything below it out; returns what was taken.
  mutating func remove(_ id: Int32) -> [(id: Int32, node: DirectoryNode)] {
    detach(id)
    var removed: [(Int32, DirectoryNode)] = []
    var rest = [id]
    while let id = rest.popLast() {
      guard let node = nodes.removeValue(forKey: id) else { continue }
      if let watch = node.watch, byWatch[watch] == id { byWatch[watch] = nil }
      rest += node.children.values
      removed.append((id, node))
    }
    return removed
  }

  /// Takes a directory away from its parent without forgetting it: it is on its way to another name.
  mutating func detach(_ id: Int32) {
    guard let node = nodes[id], let parent = node.parent else { return }
    if nodes[parent]?.children[node.name] == id { nodes[parent]?.children[node.name] = nil }
  }

  mutating func attach(_ id: Int32, to parent: Int32, as name: RawPath, isTemporary: Bool) {
    guard let above = nodes[parent] else { return }
    nodes[id]?.parent = parent
    nodes[id]?.name = name
    nodes[parent]?.children[name] = id
    update(id, depth: above.depth + 1, isTemporary: isTemporary)
  }

  private mutating func update(_ id: Int32, depth: Int, isTemporary: Bool) {
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

  /// The directory at a location, where it is known.
  func find(_ location: RawPath, from root: Int32) -> Int32? {
    var id = root
    for part in location.components {
      guard let child = nodes[id]?.children[part] else { return nil }
      id = child
    }
    return id
  }

  func ids(of zone: String) -> [Int32] {
    nodes.compactMap { $0.value.zone == zone ? $0.key : nil }
  }
}
