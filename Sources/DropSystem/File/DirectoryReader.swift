internal import CLinux
package import DropEngine
internal import Glibc

/// Reads the names of a directory, a piece at a time, so that a big one holds nobody up.
package struct DirectoryReader: ~Copyable {
  private let directory: Int32
  /// Where the reader has opened it itself.
  private let owned: FileDescriptor?
  /// What was read and not handed on yet: records of getdents64(2).
  private var records: [UInt8] = []
  private var position = 0
  /// Whether the last name is a directory's, as far as the file system says so.
  package private(set) var isDirectory = false

  private static let size = 32 << 10

  /// Reads the directory that `directory` is open on; the descriptor itself may be closed afterwards.
  package init(_ directory: Int32) throws(Errno) {
    let own = try FileDescriptor.open(".", in: directory, [.readOnly, .directory])
    self.directory = own.number
    owned = consume own
  }

  /// Reads a directory that was opened for reading, and not read before; the descriptor stays open meanwhile.
  package init(unread directory: borrowing FileDescriptor) {
    self.directory = directory.number
    owned = nil
  }

  /// The next name, other than `.` and `..`; nil at the end.
  package mutating func next() throws(Errno) -> RawPath? {
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
    let number = directory
    var count = 0
    records = unsafe [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, filled in
      count = unsafe clinux_read_entries(number, buffer.baseAddress, buffer.count)
      filled = max(0, count)
    }
    if count < 0 { throw Errno.last }
    return count > 0
  }
}
