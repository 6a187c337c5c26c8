import DropEngine

/// What senders and readers do to the zones and the box.
///
/// A name that begins with "2/" is in the second zone.
enum People {
  private struct SenderPlace {
    var folder: Folder
    var name: Name
  }

  static func perform(_ action: Action, _ machine: inout Machine) throws(CallError) {
    switch action {
    case .put(let name, let length):
      let file = try create(name, length, &machine)
      _ = file
    case .create(let name, let length):
      let file = try create(name, length, &machine)
      machine.disks[file.disk].open(file.id)
    case .append(let name, let length): try append(name, length, &machine)
    case .close(let name):
      let file = try find(name, machine)
      if machine[file].writers > 0 { machine.disks[file.disk].close(file.id) }
    case .replace(let name, let length): try replace(name, length, &machine)
    case .rename(let name, let newName):
      let (source, target) = (try place(name, machine), try place(newName, machine))
      guard source.folder.disk == target.folder.disk else { throw .crossDevice }
      try machine.rename(source.name, in: source.folder, to: target.name, in: target.folder)
      guard let file = machine.find(target.name, in: target.folder) else { return }
      let content = machine[file].content
      machine.witness.renamed(content, isCopied: machine.setup.operation == .copy || machine.setup.hasHandler)
    case .delete(let name): try delete(name, &machine)
    case .link(let name, let newName): try link(name, newName, &machine)
    case .openLate(let name): machine.lateOpeners.append(try find(name, machine))
    case .writeLate: writeLate(&machine)
    case .closeLate:
      for file in machine.late where machine[file].writers > 0 { machine.disks[file.disk].close(file.id) }
      machine.late = []
    case .foreign(let name): try addForeign(name, nil, &machine)
    case .twin(let name):
      guard let last = machine.witness.payloads.last else { throw .noEntry }
      try addForeign(name, last.content, &machine)
    case .take: takeAll(&machine)
    default: break
    }
  }

  // MARK: - Senders

  private static func place(_ name: String, _ machine: Machine) throws(CallError) -> SenderPlace {
    let isSecond = name.hasPrefix("2/")
    let location = RawPath(isSecond ? String(name.dropFirst(2)) : name)
    let root = try machine.folder(of: isSecond ? .secondZone : .zone)
    let folder = try machine.folder(location.parent, below: root)
    return SenderPlace(folder: folder, name: machine.names[location.lastComponent])
  }

  private static func find(_ name: String, _ machine: Machine) throws(CallError) -> FileReference {
    let place = try place(name, machine)
    guard let file = machine.find(place.name, in: place.folder) else { throw .noEntry }
    return file
  }

  private static func create(
    _ name: String, _ length: UInt32, _ machine: inout Machine
  ) throws(CallError) -> FileReference {
    let parent = RawPath(name.hasPrefix("2/") ? String(name.dropFirst(2)) : name).parent
    if !parent.isEmpty {
      _ = try PayloadNames.makeFolder(
        parent, below: try machine.folder(of: name.hasPrefix("2/") ? .secondZone : .zone), syncing: false, &machine)
    }
    let place = try place(name, machine)
    if machine.find(place.name, in: place.folder) != nil { throw .exists }
    let file = try machine.create(place.name, in: place.folder)
    machine.write(machine.witness.newContent(length: length), to: file)
    return file
  }

  private static func append(_ name: String, _ length: UInt32, _ machine: inout Machine) throws(CallError) {
    let file = try find(name, machine)
    let old = machine[file].content
    let new = Content(source: old.source, length: old.length + length)
    guard machine.witness.known(old)?.content == old else { throw .busy }
    machine.witness.rewritten(old, new)
    machine.write(new, to: file)
  }

  private static func replace(_ name: String, _ length: UInt32, _ machine: inout Machine) throws(CallError) {
    let place = try place(name, machine)
    let old = machine.find(place.name, in: place.folder)
    let temporary = machine.names[".tmp"]
    let file = try machine.create(temporary, in: place.folder)
    machine.write(machine.witness.newContent(length: length), to: file)
    if let old { remove(old, &machine) }
    try machine.rename(temporary, in: place.folder, to: place.name, in: place.folder, replacing: true)
  }

  private static func delete(_ name: String, _ machine: inout Machine) throws(CallError) {
    let place = try place(name, machine)
    guard let file = machine.find(place.name, in: place.folder), !machine[file].isDirectory else { throw .noEntry }
    remove(file, &machine)
    try machine.unlink(place.name, in: place.folder)
  }

  /// The sender's name of a file goes.
  private static func remove(_ file: FileReference, _ machine: inout Machine) {
    let content = machine[file].content
    guard let index = machine.witness.index(of: content) else { return }
    let counts = Census(machine)[index]
    if counts.zone > 1 { return }
    let isElsewhere = counts.hold + counts.box + counts.rejects + counts.twins > 0
    // A copy that has its verdict is the payload from then on.
    if isElsewhere, !machine.isUndoingCopy, machine.witness.payloads[index].isCopied {
      return machine.witness.removedOriginal(content)
    }
    machine.witness.removedBySender(content, isElsewhere: isElsewhere)
  }

  private static func link(_ name: String, _ newName: String, _ machine: inout Machine) throws(CallError) {
    let (source, target) = (try place(name, machine), try place(newName, machine))
    guard let file = machine.find(source.name, in: source.folder) else { throw .noEntry }
    let time = machine.stamp()
    try machine.disks[file.disk].link(
      source.name, in: source.folder.id, to: target.name, in: target.folder.id, at: time)
    machine.witness.linked(machine[file].content)
  }

  /// An open that began before the claim returns after it.
  static func openLate(_ file: FileReference, _ machine: inout Machine) {
    machine.lateOpeners.removeAll { $0 == file }
    machine.disks[file.disk].open(file.id)
    machine.late.append(file)
  }

  private static func writeLate(_ machine: inout Machine) {
    for file in machine.late {
      let old = machine[file].content
      guard machine.witness.known(old) != nil else { continue }
      let new = Content(source: old.source, length: old.length + 2)
      machine.witness.rewritten(old, new)
      machine.write(new, to: file)
    }
  }

  // MARK: - The box

  private static func addForeign(_ name: String, _ content: Content?, _ machine: inout Machine) throws(CallError) {
    let file = try machine.create(machine.names[RawPath(name)], in: machine[.box])
    machine.write(content ?? machine.witness.newContent(length: 5), to: file)
    machine.witness.addForeign(file)
    machine.sync(file)
    machine.sync(machine[.box])
  }

  /// A reader that waits for files takes them when they appear.
  static func noticeArrival(at place: NamedPlace, _ machine: inout Machine) {
    guard machine.readerTakesAll, machine.place(of: place.folder) == .box else { return }
    take(place, &machine)
    machine.sync(place.folder)
  }

  private static func takeAll(_ machine: inout Machine) {
    let box = machine[.box]
    for entry in machine.disks[box.disk].entries {
      let file = FileReference(disk: box.disk, id: entry.file)
      let folder = Folder(disk: box.disk, id: entry.directory)
      guard !machine[file].isDirectory, machine.names.kind(of: entry.name) == .ordinary,
        machine.place(of: folder) == .box
      else { continue }
      take(NamedPlace(folder: folder, name: entry.name), &machine)
    }
    machine.sync(box)
  }

  private static func take(_ place: NamedPlace, _ machine: inout Machine) {
    guard let file = machine.find(place.name, in: place.folder), !machine.witness.foreign.contains(file) else { return }
    let content = machine[file].content
    // Who is first, the reader or the undo, is anybody's guess.
    if machine.ledger.rows.contains(where: { $0.delivered != nil }) {
      machine.witness.removedBySender(content, isElsewhere: true)
    }
    machine.witness.readerTook(content, file)
    try? machine.unlink(place.name, in: place.folder)
  }
}
