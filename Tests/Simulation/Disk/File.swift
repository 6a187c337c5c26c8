/// Which file of a file system is meant, under whatever name; never used twice.
package struct FileID: Hashable, Sendable {
  package let index: Int32

  package static let root = FileID(index: 0)
}

/// A file name as a number; `Names` knows its bytes.
package struct Name: Hashable, Sendable {
  package let index: Int32

  package init(_ index: Int32) {
    self.index = index
  }
}

/// A name in a directory, and the file it leads to.
package struct Entry: Hashable, Sendable {
  package let directory: FileID
  package let name: Name
  package let file: FileID

  package init(directory: FileID, name: Name, file: FileID) {
    self.directory = directory
    self.name = name
    self.file = file
  }

  func hasSameName(as other: Entry) -> Bool { directory == other.directory && name == other.name }
}

/// A file or a directory: what programs see of it, and what is on the disk.
package struct File: Hashable, Sendable {
  /// The inode number.
  package let number: UInt32
  package let birth: Int64
  package let isDirectory: Bool
  var seen = Version()
  var durable = Version()
  /// What it had in between, where that was something else than a part of `seen`: the kernel writes when it likes.
  var passed: [Content] = []
  /// How many descriptors are open for writing.
  package internal(set) var writers = 0
  /// The last change of names or bytes that a sync of this file includes, by its number.
  var lastChange = 0

  struct Version: Hashable {
    var content = Content.empty
    var modified: Int64 = 0
    var changed: Int64 = 0
  }

  /// What a power cut may leave of it.
  var remains: [Content] {
    let remains = durable.content.remains(replacedBy: seen.content)
    return passed.isEmpty ? remains : remains + passed.flatMap { durable.content.remains(replacedBy: $0) }
  }

  /// Takes note that everything is on the disk.
  mutating func sync() {
    durable = seen
    passed = []
  }

  package var content: Content { seen.content }
  package var modified: Int64 { seen.modified }
  package var changed: Int64 { seen.changed }
}
