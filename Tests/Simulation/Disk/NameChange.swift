/// One change of names that may not be on the disk yet: a name that a file gets, one that it loses, or both at once.
struct NameChange: Hashable {
  let file: FileID
  let added: Entry?
  let removed: Entry?
  /// The name of another file that the added one took.
  var replaced: Entry?
  let time: Int64
  /// Whether a sync promised that the name it adds, or the removal, is on the disk.
  var isAdditionDurable = false
  var isRemovalDurable = false

  var isDurable: Bool {
    (added == nil || isAdditionDurable) && (removed == nil || isRemovalDurable)
  }

  mutating func makeDurable() {
    isAdditionDurable = true
    isRemovalDurable = true
  }
}

extension [Entry] {
  func index(of name: Name, in directory: FileID) -> Int? {
    firstIndex { $0.name == name && $0.directory == directory }
  }

  /// Carries out a change, or the parts of it that are kept.
  mutating func apply(_ change: NameChange, addition: Bool = true, removal: Bool = true) {
    if removal, let removed = change.removed, let index = firstIndex(of: removed) { remove(at: index) }
    guard addition, let added = change.added else { return }
    if let index = index(of: added.name, in: added.directory) { self[index] = added } else { append(added) }
  }
}
