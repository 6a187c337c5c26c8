/// The directory at the end of a zip file, which readers of zip files use.
package struct ZipDirectory: Sendable {
  /// The maximum number of bytes at the end of a file to search for the position of the directory.
  package static let endLimit = 22 + 65_535 + 76
  /// The maximum number of bytes of the directory to read.
  package static let limit = 1 << 20
  /// The number of bytes of a member to read: its header with a short name, and a short text.
  package static let memberLimit = 1024

  package struct Entry: Hashable, Sendable {
    /// The name in lower case, with forward slashes.
    package let name: [UInt8]
    /// The offset of the member's own header.
    package let offset: Int
    package let size: Int
    package let isStored: Bool
  }

  package let entries: [Entry]

  /// The position of the directory in a file of `size` bytes whose last bytes are `end`; nil if there is none.
  package static func place(inFileOf size: Int64, end: [UInt8]) -> (offset: Int64, count: Int)? {
    guard let size = Int(exactly: size), size >= end.count else { return nil }
    let start = size - end.count
    var position = end.count - 22
    while position >= 0 {
      if let found = place(recordAt: position, end: end, start: start) { return found }
      position -= 1
    }
    return nil
  }

  private static func place(recordAt position: Int, end: [UInt8], start: Int) -> (offset: Int64, count: Int)? {
    guard end.number32(at: position) == 0x0605_4B50, let comment = end.number16(at: position + 20),
      comment <= end.count - position - 22, var count = end.number32(at: position + 12),
      let offset = end.number32(at: position + 16)
    else { return nil }
    var behind = start + position
    if count == 0xFFFF_FFFF || offset == 0xFFFF_FFFF {
      // In Zip64, there is a locator right before the record, and usually a larger record before that.
      guard end.number32(at: position - 20) == 0x0706_4B50, end.number32(at: position - 76) == 0x0606_4B50,
        let large = end.number64(at: position - 76 + 40)
      else { return nil }
      count = large
      behind -= 76
    }
    // The directory ends where the record begins. Its recorded offset is wrong if data was put before the zip file.
    guard count >= 0, count <= behind else { return nil }
    return (Int64(behind - count), min(count, limit))
  }

  /// Parses the bytes of the directory, as far as they are available.
  package init(_ bytes: [UInt8]) {
    var entries: [Entry] = []
    var position = 0
    while bytes.number32(at: position) == 0x0201_4B50, let method = bytes.number16(at: position + 10),
      let size = bytes.number32(at: position + 20), let nameLength = bytes.number16(at: position + 28),
      let extraLength = bytes.number16(at: position + 30), let commentLength = bytes.number16(at: position + 32),
      let offset = bytes.number32(at: position + 42), let name = bytes.slice(at: position + 46, count: nameLength)
    {
      entries.append(
        Entry(
          name: name.map { $0 == UInt8(ascii: "\\") ? .slash : $0.lowercased }, offset: offset, size: size,
          isStored: method == 0))
      position += 46 + nameLength + extraLength + commentLength
    }
    self.entries = entries
  }

  package func entry(_ name: StaticString) -> Entry? {
    entries.first { $0.name.elementsEqual(name.description.utf8) }
  }

  package func has(_ name: StaticString) -> Bool {
    entry(name) != nil
  }

  package func hasMember(in folder: StaticString) -> Bool {
    entries.contains { $0.name.starts(with: folder.description.utf8) }
  }

  package func hasMember(endingIn suffix: StaticString) -> Bool {
    let suffix = Array(suffix.description.utf8)
    return entries.contains { $0.name.suffix(suffix.count).elementsEqual(suffix) }
  }

  /// The text of an uncompressed member, given the bytes of the file from the member's header on.
  package static func text(ofStored entry: Entry, from bytes: [UInt8]) -> String? {
    guard entry.isStored, entry.size <= 256, bytes.number32(at: 0) == 0x0403_4B50,
      let nameLength = bytes.number16(at: 26), let extraLength = bytes.number16(at: 28),
      let content = bytes.slice(at: 30 + nameLength + extraLength, count: entry.size)
    else { return nil }
    return String(validating: content, as: UTF8.self)
  }
}
