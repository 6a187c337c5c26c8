/// The type of an OLE compound file, determined from the streams in its root.
package struct CompoundCheck: Hashable, Sendable {
  /// The type that the streams prove; nil if they prove none.
  package let type: String?

  package static let signature: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]
  /// The maximum number of bytes of the list of streams to read.
  package static let limit = 1 << 14

  /// The offset of the list of streams, from the first bytes of the file.
  package static func directoryOffset(head: [UInt8]) -> Int64? {
    guard head.starts(with: signature), let shift = head.number16(at: 30), shift == 9 || shift == 12,
      let sector = head.number32(at: 48), sector < 0xFFFF_FFFA
    else { return nil }
    return Int64(sector + 1) << Int64(shift)
  }

  /// Examines the first contiguous part of the list of streams.
  package init(directory: [UInt8]) {
    let names = Self.namesBesideRoot(directory)
    if names.contains("EncryptedPackage") {
      // In an encrypted Office file, nothing tells what is inside, least of all the name.
      type = nil
    } else {
      type = Self.marks.first { names.contains($0.stream) }?.type
    }
  }

  /// Whether the streams can prove `type`.
  package static func tells(_ type: String) -> Bool {
    marks.contains { $0.type == type }
  }

  private static let marks: [(stream: String, type: String)] = [
    ("WordDocument", "application/msword"),
    ("Workbook", "application/vnd.ms-excel"),
    ("Book", "application/vnd.ms-excel"),
    ("PowerPoint Document", "application/vnd.ms-powerpoint"),
    ("VisioDocument", "application/vnd.visio"),
    ("__properties_version1.0", "application/vnd.ms-outlook"),
  ]

  /// The names of the root's own children; deeper entries do not count. The children form a tree of entry numbers, none of
  /// which can be trusted.
  private static func namesBesideRoot(_ directory: [UInt8]) -> Set<String> {
    guard let child = directory.number32(at: 76) else { return [] }
    var names: Set<String> = []
    var visited: Set<Int> = []
    var waiting = [child]
    while let number = waiting.popLast() {
      guard number < limit / 128, visited.insert(number).inserted,
        let length = directory.number16(at: number * 128 + 64), (2...64).contains(length),
        let name = directory.slice(at: number * 128, count: length - 2),
        let left = directory.number32(at: number * 128 + 68), let right = directory.number32(at: number * 128 + 72)
      else { continue }
      let bytes = Array(name)
      let units = stride(from: 0, to: bytes.count, by: 2).compactMap { bytes.number16(at: $0).map { UInt16($0) } }
      names.insert(String(decoding: units, as: UTF16.self))
      waiting += [left, right]
    }
    return names
  }
}
