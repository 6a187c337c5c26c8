internal import CLinux
package import DropEngine
internal import Glibc

/// Reads the names of a directory in pieces, so that a big one needs no more memory than a small one.
package struct DirectoryListing: ~Copyable {
  private let number: Int32
  /// One of these keeps `number` open.
  private let directory: Directory?
  private let own: FileDescriptor?
  /// For messages.
  private let path: RawPath
  /// Records of getdents64(2) that were read and not yet returned.
  private var records: [UInt8] = []
  private var position = 0
  /// Whether the last name is a directory's, as far as the file system says so.
  package private(set) var isDirectory = false

  private static let size = 32 << 10

  init(of directory: Directory) throws(Errno) {
    path = directory.path
    if directory.isListable {
      guard lseek(directory.number, 0, SEEK_SET) == 0 else { throw .last }
      number = directory.number
      self.directory = directory
      own = nil
    } else {
      let opened = try FileDescriptor.open(".", in: directory.number, [.readOnly, .directory])
      number = opened.number
      self.directory = nil
      own = consume opened
    }
  }

  /// The next name, other than `.` and `..`; nil at the end.
  package mutating func next() throws(FileError) -> RawPath? {
    do throws(Errno) {
      return try nextName()
    } catch {
      throw FileError(error, .list, path)
    }
  }

  private mutating func nextName() throws(Errno) -> RawPath? {
    while true {
      if position >= records.count, try !refill() { return nil }
      // The offset of the next record is at 16, the kind at 18, and the name, which ends in zeros, at 19.
      guard position + 19 < records.count else { throw .invalid }
      let length = Int(records[position + 16]) | Int(records[position + 17]) << 8
      guard length > 19, position + length <= records.count else { throw .invalid }
      isDirectory = records[position + 18] == UInt8(DT_DIR)
      let name = records[(position + 19)..<(position + length)].prefix { $0 != 0 }
      position += length
      if name.elementsEqual([.dot]) || name.elementsEqual([.dot, .dot]) { continue }
      return RawPath(bytes: Array(name))
    }
  }

  private mutating func refill() throws(Errno) -> Bool {
    position = 0
    let number = number
    var count = 0
    records = unsafe [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, filled in
      count = unsafe clinux_read_entries(number, buffer.baseAddress, buffer.count)
      filled = max(0, count)
    }
    if count < 0 { throw Errno.last }
    return count > 0
  }
}

extension Directory {
  /// Begins to list the directory. One that was opened for listing has one listing at a time.
  package func listing() throws(FileError) -> DirectoryListing {
    try naming(.list, path) { () throws(Errno) in try DirectoryListing(of: self) }
  }

  /// All names, other than `.` and `..`, in no order. Only for directories that senders cannot fill.
  package func names() throws(FileError) -> [RawPath] {
    var listing = try listing()
    var names: [RawPath] = []
    while let name = try listing.next() { names.append(name) }
    return names
  }

  /// Whether nothing is in the directory; false where that cannot be seen.
  package var isEmpty: Bool {
    do throws(FileError) {
      var listing = try listing()
      return try listing.next() == nil
    } catch {
      return false
    }
  }
}
