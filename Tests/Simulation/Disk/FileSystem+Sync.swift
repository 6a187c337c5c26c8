/// What syncs promise.
extension FileSystem {
  /// fsync(2) of a file or a directory.
  package mutating func sync(_ id: FileID) {
    files[Int(id.index)].sync()
    if kind.hasOneJournal {
      let count = self[id].lastChange - earlierChanges
      for index in changes.indices where index < count { changes[index].makeDurable() }
    } else if self[id].isDirectory {
      syncNames(in: id)
    } else {
      syncNames(of: id, before: changes.count)
    }
    forgetDurableChanges()
  }

  /// syncfs(2).
  package mutating func syncAll() {
    for index in files.indices { files[index].sync() }
    earlierChanges += changes.count
    changes = []
    durableEntries = entries
  }

  /// btrfs logs the names that a directory got. Where it lost one to another directory, it commits the file's other names
  /// too.
  private mutating func syncNames(in directory: FileID) {
    for index in changes.indices {
      if changes[index].added?.directory == directory { changes[index].isAdditionDurable = true }
      guard changes[index].removed?.directory == directory else { continue }
      changes[index].isRemovalDurable = true
      if let added = changes[index].added, added.directory != directory {
        syncNames(of: changes[index].file, before: index + 1)
      }
    }
    syncNames(of: directory, before: changes.count)
  }

  /// The names of a file or directory, and of the new directories they lie in.
  private mutating func syncNames(of file: FileID, before end: Int) {
    for index in 0..<end where changes[index].file == file && !changes[index].isDurable {
      changes[index].makeDurable()
      if let directory = changes[index].added?.directory { syncNames(of: directory, before: index) }
    }
  }

  private mutating func forgetDurableChanges() {
    guard let first = changes.first, first.isDurable else { return }
    let count = changes.firstIndex { !$0.isDurable } ?? changes.count
    for change in changes[..<count] { keep(change) }
    changes.removeFirst(count)
    earlierChanges += count
  }

  private mutating func keep(_ change: NameChange) {
    durableEntries.apply(change)
    let index = Int(change.file.index)
    files[index].durable.changed = max(files[index].durable.changed, change.time)
  }
}
