import DropEngine

/// Everything outside the daemon's process: disks, ledger, clock, and what the people at it have done.
struct Machine {
  let setup: Setup
  let names: Names
  /// The directory of each place.
  let folders: [Folder]
  var disks: [FileSystem]
  var ledger = SimulatedLedger()
  /// Milliseconds.
  var now: Int64 = 1000
  private var lastStamp: Int64 = 0
  /// Places that are not mounted now.
  var away: [Place] = []
  /// Whether a copy is about to be removed from its box; if its original goes as well, nothing is left.
  var isUndoingCopy = false
  /// Whether a place was ever away: what could not be tidied up there stays.
  var hasBeenAway = false
  /// Places whose calls do not return now.
  var hanging: [Place] = []
  var faults = Faults()
  var witness = Witness()
  /// How the handler answers next; after the last one it accepts.
  var answers: [HandlerBehaviour] = []
  /// Files that a sender opens for writing while they are being claimed.
  var lateOpeners: [FileReference] = []
  /// Files that were opened so, until their senders close them.
  var late: [FileReference] = []
  /// Whether a reader takes whatever appears in the box at once.
  var readerTakesAll = false
  private(set) var ids: [DropID] = []

  init(_ setup: Setup) {
    self.setup = setup
    names = Names()
    var disks = [FileSystem(setup.zoneDisk)]
    if let kind = setup.boxDisk { disks.append(FileSystem(kind)) }
    var folders: [Folder] = []
    for place in Place.allCases {
      let disk = setup.isNear || place.isOnZoneDisk ? 0 : 1
      let name = names[RawPath(place.path)]
      let id = (try? disks[disk].create(name, in: .root, isDirectory: true, at: 1)) ?? .root
      folders.append(Folder(disk: disk, id: id))
    }
    for disk in disks.indices { disks[disk].syncAll() }
    self.disks = disks
    self.folders = folders
  }

  /// A time for the next change of a file, in nanoseconds; no two are equal.
  mutating func stamp() -> Int64 {
    lastStamp = max(lastStamp + 1, now * 1_000_000)
    return lastStamp
  }

  mutating func newID() -> DropID {
    let number = UInt64(ids.count + 1)
    let id = DropID(milliseconds: number, high: 0, low: number)
    ids.append(id)
    return id
  }

  func number(of id: DropID) -> UInt32 { UInt32(ids.firstIndex(of: id) ?? 0) }

  subscript(place: Place) -> Folder { folders[Int(place.rawValue)] }
  subscript(file: FileReference) -> File { disks[file.disk][file.id] }

  /// Where payloads of a zone are held.
  func hold(of zone: Place) -> Place {
    if setup.isNear || setup.operation == .copy { return .boxHold }
    return zone == .zone ? .zoneHold : .secondZoneHold
  }

  var zones: [Place] { setup.hasSecondZone ? [.zone, .secondZone] : [.zone] }
}

// MARK: - Calls

extension Machine {
  func find(_ name: Name, in folder: Folder) -> FileReference? {
    disks[folder.disk].find(name, in: folder.id).map { FileReference(disk: folder.disk, id: $0) }
  }

  func status(of file: FileReference) -> FileStatus {
    let seen = self[file]
    return FileStatus(
      kind: seen.isDirectory ? .directory : .regular,
      identity: FileIdentity(device: UInt64(file.disk), inode: UInt64(seen.number), birth: seen.birth),
      size: Int64(seen.content.length), modified: seen.modified, changed: seen.changed,
      links: UInt32(disks[file.disk].links(to: file.id)))
  }

  func status(of name: Name, in folder: Folder) -> FileStatus? { find(name, in: folder).map(status) }

  mutating func create(_ name: Name, in folder: Folder, isDirectory: Bool = false) throws(CallError) -> FileReference {
    let time = stamp()
    let id = try disks[folder.disk].create(name, in: folder.id, isDirectory: isDirectory, at: time)
    return FileReference(disk: folder.disk, id: id)
  }

  mutating func write(_ content: Content, to file: FileReference) {
    let time = stamp()
    disks[file.disk].write(content, to: file.id, at: time)
  }

  mutating func rename(
    _ name: Name, in folder: Folder, to newName: Name, in newFolder: Folder, replacing: Bool = false
  ) throws(CallError) {
    guard folder.disk == newFolder.disk else {
      guard find(name, in: folder) != nil else { throw .noEntry }
      throw .crossDevice
    }
    let time = stamp()
    try disks[folder.disk].rename(name, in: folder.id, to: newName, in: newFolder.id, replacing: replacing, at: time)
  }

  mutating func unlink(_ name: Name, in folder: Folder) throws(CallError) {
    let time = stamp()
    try disks[folder.disk].unlink(name, in: folder.id, at: time)
  }

  mutating func sync(_ folder: Folder) { disks[folder.disk].sync(folder.id) }
  mutating func sync(_ file: FileReference) { disks[file.disk].sync(file.id) }
}

// MARK: - Paths

extension Machine {
  func folder(at path: String) throws(CallError) -> Folder {
    guard let place = Place(path: path) else { return try folder(at: RawPath(path)) }
    return try folder(of: place)
  }

  func folder(of place: Place) throws(CallError) -> Folder {
    if !away.isEmpty, away.contains(place) { throw .noEntry }
    return self[place]
  }

  func folder(at path: RawPath) throws(CallError) -> Folder {
    for place in Place.allCases {
      let root = Place.paths[Int(place.rawValue)].bytes
      guard path.bytes.starts(with: root) else { continue }
      let rest = path.bytes.dropFirst(root.count)
      if rest.isEmpty { return try folder(of: place) }
      if rest.first == .slash { return try folder(RawPath(bytes: Array(rest)), below: try folder(of: place)) }
    }
    throw .noEntry
  }

  func folder(_ location: RawPath, below root: Folder) throws(CallError) -> Folder {
    guard !location.isEmpty else { return root }
    var folder = root
    for part in location.components {
      guard let found = find(names[part], in: folder) else { throw .noEntry }
      guard self[found].isDirectory else { throw .notDirectory }
      folder.id = found.id
    }
    return folder
  }

  /// Whether a place is mounted; nil path: it does not matter.
  func isThere(_ path: String) -> Bool {
    guard !away.isEmpty, let place = Place(path: path) else { return true }
    return !away.contains(place)
  }

  /// The place that a directory lies in; nil if it has no name any more.
  func place(of folder: Folder) -> Place? {
    var id = folder.id
    while true {
      for (index, known) in folders.enumerated() where known.disk == folder.disk && known.id == id {
        return Place(rawValue: UInt8(index))
      }
      guard let entry = disks[folder.disk].entries.first(where: { $0.file == id }) else { return nil }
      id = entry.directory
    }
  }
}
