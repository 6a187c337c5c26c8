/// What a power cut leaves.
extension FileSystem {
  /// Makes what is seen one of the states that the disk may be in, and closes all descriptors.
  package mutating func cut(_ choices: inout Choices) {
    let kept = kind.hasOneJournal ? keptInOrder(&choices) : keptByFile(&choices)
    entries = durableEntries
    for (change, parts) in zip(changes, kept) { apply(change, parts, &choices) }
    earlierChanges += changes.count
    changes = []
    durableEntries = entries
    for index in files.indices {
      files[index].writers = 0
      guard files[index].seen != files[index].durable else { continue }
      let id = FileID(index: Int32(index))
      cutContent(of: index, hasName: entries.contains { $0.file == id }, &choices)
    }
  }

  private mutating func apply(_ change: NameChange, _ parts: Kept, _ choices: inout Choices) {
    // Where the replaced file is in the log and the other is not, btrfs may lose both.
    if !kind.hasOneJournal, !parts.addition, let replaced = change.replaced, entries.contains(replaced),
      choices.choose(2) == 1
    {
      entries.removeAll { $0 == replaced }
    }
    guard parts.addition || parts.removal else { return }
    entries.apply(change, addition: parts.addition, removal: parts.removal)
    let index = Int(change.file.index)
    files[index].durable.changed = max(files[index].durable.changed, change.time)
  }

  private mutating func cutContent(of index: Int, hasName: Bool, _ choices: inout Choices) {
    let file = files[index]
    var left = file.durable
    if hasName, file.durable.content != file.seen.content || !file.passed.isEmpty {
      let remains = file.remains
      left.content = remains[choices.choose(remains.count)]
      if left.content != file.durable.content { left.modified = file.seen.modified }
    }
    files[index].seen = left
    files[index].sync()
  }

  private typealias Kept = (addition: Bool, removal: Bool)

  /// One journal: everything up to some change.
  private func keptInOrder(_ choices: inout Choices) -> [Kept] {
    let count = choices.choose(changes.count + 1)
    return changes.indices.map { ($0 < count, $0 < count) }
  }

  /// Each file's changes up to one of them, whatever becomes of other files, and what syncs promised beyond that.
  private func keptByFile(_ choices: inout Choices) -> [Kept] {
    var kept = changes.map { Kept($0.isAdditionDurable, $0.isRemovalDurable) }
    var isAsked = Set<FileID>()
    for (index, change) in changes.enumerated() where isAsked.insert(change.file).inserted {
      let own = changes.indices[index...].filter { changes[$0].file == change.file }
      let count = choices.choose(own.count + 1)
      for index in own.prefix(count) { kept[index] = (true, true) }
      // A file that a directory's sync found there is logged with all the names it has by then.
      let others = own.dropFirst(count).filter { !kept[$0].addition && hasKept(changes[$0].added) }
      if !others.isEmpty, own.contains(where: { changes[$0].isAdditionDurable }), choices.choose(2) == 1 {
        for index in others { kept[index].addition = true }
      }
    }
    while keepPresupposed(&kept) {}
    return kept
  }

  private func hasKept(_ entry: Entry?) -> Bool { entry.map(entries.contains) ?? false }

  /// Adds what the changes that are kept presuppose; false when nothing was missing.
  private func keepPresupposed(_ kept: inout [Kept]) -> Bool {
    var hasAdded = false
    for index in changes.indices where kept[index].addition || kept[index].removal {
      for earlier in 0..<index where !(kept[earlier].addition && kept[earlier].removal) {
        guard changes[index].presupposes(changes[earlier], where: { isThere($0, before: earlier, kept) }) else {
          continue
        }
        for own in 0...earlier where changes[own].file == changes[earlier].file { kept[own] = (true, true) }
        hasAdded = true
      }
    }
    return hasAdded
  }

  /// Whether a name would be on the disk if a change took it away.
  private func isThere(_ entry: Entry, before index: Int, _ kept: [Kept]) -> Bool {
    durableEntries.contains(entry)
      || changes[..<index].indices.contains {
        kept[$0].addition && changes[$0].added == entry
      }
  }
}

extension NameChange {
  /// Whether this change cannot be kept without an earlier one: the directory was made by it, the name was set free by
  /// it, or the directory was emptied by it.
  fileprivate func presupposes(_ earlier: NameChange, where isThere: (Entry) -> Bool) -> Bool {
    if let added {
      if earlier.added?.file == added.directory { return true }
      guard let freed = earlier.removed, freed.file != file, freed.hasSameName(as: added) else { return false }
      return isThere(freed)
    }
    return earlier.removed?.directory == file || earlier.added?.directory == file
  }
}
