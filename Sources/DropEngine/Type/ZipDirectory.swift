/// The table of contents at the end of a zip file, which is what readers of zip files go by.
package struct ZipDirectory: Sendable {
  /// The longest end of a file that has to be searched for the directory's place.
  package static let endLimit = 22 + 65_535 + 76
  /// How much of the directory is looked at.
  package static let limit = 1 << 20
  /// How much of a member is read: its header with a short name, and a text as short.
  package static let memberLimit = 1024

  package struct Entry: Hashable, Sendable {
    /// In small letters, with slashes whichever way the writer leant them.
    package let name: [UInt8]
    /// Where the member's own header is.
    package let offset: Int
    package let size: Int
    package let isStored: Bool
  }

  package let entries: [Entry]

  /// Where the directory of a file of `size` bytes is, by the file's last bytes `end`; nil where it has none.
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
      // Zip64: a locator right before the record, and as a rule a larger record before that.
      guard end.number32(at: position - 20) == 0x0706_4B50, end.number32(at: position - 76) == 0x0606_4B50,
        let large = end.number64(at: position - 76 + 40)
      else { return nil }
      count = large
      behind -= 76
    }
    // The directory ends where the record begins; its noted offset is wrong when something was put before the zip.
    guard count >= 0, count <= behind else { return nil }
    return (Int64(behind - count), min(count, limit))
  }

  /// Reads the directory's bytes as far as they go.
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

  /// The text of a stored member, given the file's bytes from its header on.
  package static func text(ofStored entry: Entry, from bytes: [UInt8]) -> String? {
    guard entry.isStored, entry.size <= 256, bytes.number32(at: 0) == 0x0403_4B50,
      let nameLength = bytes.number16(at: 26), let extraLength = bytes.number16(at: 28),
      let content = bytes.slice(at: 30 + nameLength + extraLength, count: entry.size)
    else { return nil }
    return String(validating: content, as: UTF8.self)
  }
}
