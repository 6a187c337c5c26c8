/// A model of one file system: what programs see of it, and what a power cut may leave.
///
/// It does what the kernel was seen to do and knows nothing of the daemon. Names are numbers and bytes are lengths, so
/// that a copy of the whole costs less than a microsecond.
package struct FileSystem: Hashable, Sendable {
  package let kind: FileSystemKind
  /// By `FileID`; files that are gone keep their place.
  var files: [File]
  /// The names that programs see.
  package internal(set) var entries: [Entry] = []
  /// The names on the disk when nothing of `changes` is.
  var durableEntries: [Entry] = []
  /// What happened to names since then, oldest first.
  var changes: [NameChange] = []
  /// How many changes came before those.
  var earlierChanges = 0
  private var nextNumber: UInt32 = 3

  package init(_ kind: FileSystemKind) {
    self.kind = kind
    files = [File(number: 2, birth: 0, isDirectory: true)]
  }

  package subscript(_ id: FileID) -> File { files[Int(id.index)] }

  /// How many names the file has.
  package func links(to id: FileID) -> Int { entries.count { $0.file == id } }

  package func find(_ name: Name, in directory: FileID) -> FileID? {
    entries.index(of: name, in: directory).map { entries[$0].file }
  }

  /// The names in a directory, in the order in which they were made.
  package func list(_ directory: FileID) -> [Entry] { entries.filter { $0.directory == directory } }

  var lastChange: Int { earlierChanges + changes.count }
}

// MARK: - Names

extension FileSystem {
  /// Makes an empty file or a directory.
  package mutating func create(
    _ name: Name, in directory: FileID, isDirectory: Bool = false, at time: Int64
  ) throws(CallError) -> FileID {
    if find(name, in: directory) != nil { throw .exists }
    var file = File(number: takeNumber(), birth: time, isDirectory: isDirectory)
    file.seen = File.Version(content: .empty, modified: time, changed: time)
    file.durable = file.seen
    files.append(file)
    let id = FileID(index: Int32(files.count - 1))
    add(NameChange(file: id, added: Entry(directory: directory, name: name, file: id), removed: nil, time: time))
    return id
  }

  package mutating func link(
    _ name: Name, in directory: FileID, to newName: Name, in newDirectory: FileID, at time: Int64
  ) throws(CallError) {
    guard let file = find(name, in: directory) else { throw .noEntry }
    if self[file].isDirectory { throw .notPermitted }
    if find(newName, in: newDirectory) != nil { throw .exists }
    let entry = Entry(directory: newDirectory, name: newName, file: file)
    add(NameChange(file: file, added: entry, removed: nil, time: time))
  }

  package mutating func rename(
    _ name: Name, in directory: FileID, to newName: Name, in newDirectory: FileID, replacing: Bool = false,
    at time: Int64
  ) throws(CallError) {
    guard let file = find(name, in: directory) else { throw .noEntry }
    var change = NameChange(
      file: file, added: Entry(directory: newDirectory, name: newName, file: file),
      removed: Entry(directory: directory, name: name, file: file), time: time)
    if let other = find(newName, in: newDirectory) {
      guard replacing else { throw .exists }
      // rename(2): two names of one file are left as they are.
      if other == file { return }
      if self[other].isDirectory { throw .isDirectory }
      touch(other, at: time)
      change.replaced = Entry(directory: newDirectory, name: newName, file: other)
    }
    add(change)
  }

  /// Removes the name of a file, or an empty directory.
  package mutating func unlink(_ name: Name, in directory: FileID, at time: Int64) throws(CallError) {
    guard let file = find(name, in: directory) else { throw .noEntry }
    if self[file].isDirectory, entries.contains(where: { $0.directory == file }) { throw .notEmpty }
    add(
      NameChange(
        file: file, added: nil, removed: Entry(directory: directory, name: name, file: file), time: time))
  }

  private mutating func add(_ change: NameChange) {
    entries.apply(change)
    changes.append(change)
    touch(change.file, at: change.time)
    for entry in [change.added, change.removed] {
      guard let entry else { continue }
      touch(entry.directory, at: change.time)
      files[Int(entry.directory.index)].seen.modified = change.time
    }
  }

  /// The change time of a file whose inode was written, and with it the place in the journal that a sync reaches.
  private mutating func touch(_ id: FileID, at time: Int64) {
    files[Int(id.index)].seen.changed = time
    files[Int(id.index)].lastChange = lastChange
  }

  private mutating func takeNumber() -> UInt32 {
    guard kind.reusesNumbers else {
      nextNumber += 1
      return nextNumber
    }
    var number: UInt32 = 3
    while files.indices.contains(where: { files[$0].number == number && isInUse($0) }) { number += 1 }
    return number
  }

  /// A file that has no name and no descriptor is gone, and its number is free.
  private func isInUse(_ index: Int) -> Bool {
    let id = FileID(index: Int32(index))
    return id == .root || files[index].writers > 0 || entries.contains { $0.file == id }
  }
}

// MARK: - Bytes

extension FileSystem {
  /// Gives a file other bytes: more of the same source is an append, fewer a truncation, another source a replacement.
  package mutating func write(_ content: Content, to id: FileID, at time: Int64) {
    let old = self[id].content
    let isPart = old == .empty || old.source == content.source && old.length <= content.length
    if !isPart, old != self[id].durable.content { files[Int(id.index)].passed.append(old) }
    files[Int(id.index)].seen.content = content
    files[Int(id.index)].seen.modified = time
    touch(id, at: time)
  }

  /// Sets the owner, the mode or the times.
  package mutating func changeAttributes(of id: FileID, at time: Int64) { touch(id, at: time) }

  /// utimensat(2): a copy gets the time at which its original was written.
  package mutating func setModified(_ modified: Int64, of id: FileID, at time: Int64) {
    files[Int(id.index)].seen.modified = modified
    touch(id, at: time)
  }

  package mutating func open(_ id: FileID) { files[Int(id.index)].writers += 1 }

  package mutating func close(_ id: FileID) { files[Int(id.index)].writers -= 1 }

  /// The programs that had files open have ended.
  package mutating func closeAll() { for index in files.indices { files[index].writers = 0 } }
}
