import DropEngine
import DropSystem

/// What directories of a zone on one mount have in common.
final class DirectoryGround {
  let zone: String
  let device: UInt64
  let mount: UInt64
  let kind: FileSystemKind

  init(zone: String, _ status: FileStatus, kind: FileSystemKind) {
    self.zone = zone
    device = status.identity.device
    mount = status.mount
    self.kind = kind
  }

  /// Whether a rename leads from one to the other, as far as numbers tell: a subvolume has a device of its own.
  func isSame(as other: DirectoryGround) -> Bool { mount == other.mount && device == other.device }
}

/// One watched directory of a zone. There may be a hundred thousand: what few have is kept apart, and nothing twice.
final class DirectoryNode {
  let ground: DirectoryGround
  var name: RawPath
  var children: [RawPath: Int32] = [:]
  private let inode: UInt64
  private let birth: Int64
  private var parentID: Int32
  private var watchID: Int32 = 0
  private var level: UInt8
  /// A temporary name here or above: what lies below is staged and never released.
  var isTemporary: Bool
  private var poll: Poll?

  /// Where events do not tell all: when it is scanned next, and how long after that.
  private final class Poll {
    /// As the heap of all such moments keeps it: an entry of another one is stale.
    @OptionalTicks var next: Duration? = nil
    var interval = Duration.seconds(5)
  }

  init(
    on ground: DirectoryGround, parent: Int32?, name: RawPath, identity: FileIdentity, depth: Int, isTemporary: Bool
  ) {
    self.ground = ground
    self.name = name
    inode = identity.inode
    birth = identity.birth
    parentID = parent ?? 0
    level = UInt8(clamping: depth)
    self.isTemporary = isTemporary
  }

  var zone: String { ground.zone }
  var mount: UInt64 { ground.mount }
  var kind: FileSystemKind { ground.kind }
  var identity: FileIdentity { FileIdentity(device: ground.device, inode: inode, birth: birth) }

  /// Whether it is what was seen. The first change below a directory of an overlay's lower layers copies it up, and the
  /// copy has a birth of its own.
  func isSame(as status: FileStatus) -> Bool {
    var seen = status.identity
    if kind.copiesUp { seen.birth = birth }
    return seen == identity
  }

  var parent: Int32? {
    get { parentID == 0 ? nil : parentID }
    set { parentID = newValue ?? 0 }
  }

  /// The kernel counts watches from 1, as the tree does directories.
  var watch: Int32? {
    get { watchID == 0 ? nil : watchID }
    set { watchID = newValue ?? 0 }
  }

  var depth: Int {
    get { Int(level) }
    set { level = UInt8(clamping: newValue) }
  }

  var nextScan: Duration? {
    get { poll?.next }
    set {
      if poll == nil, newValue != nil { poll = Poll() }
      poll?.next = newValue
    }
  }

  var scanInterval: Duration {
    get { poll?.interval ?? .seconds(5) }
    set {
      if poll == nil { poll = Poll() }
      poll?.interval = newValue
    }
  }
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

  /// Takes a directory and everything below it out; returns what was taken, and where it was.
  ///
  /// - Parameter location: That of a directory which has been detached, and does not know its own any more.
  mutating func remove(_ id: Int32, at location: RawPath? = nil) -> [(
    id: Int32, node: DirectoryNode, location: RawPath
  )] {
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

  /// Takes a directory away from its parent without forgetting it: it is on its way to another name.
  mutating func detach(_ id: Int32) {
    guard let node = nodes[id], let parent = node.parent else { return }
    if nodes[parent]?.children[node.name] == id { nodes[parent]?.children[node.name] = nil }
    node.parent = nil
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
}
