/// Creates OLE compound files that contain only a list of streams.
enum CompoundFile {
  /// Returns a header, followed by a sector with the root and one entry for each of `streams`. Each entry is the right
  /// neighbour of the previous one.
  static func bytes(_ streams: String...) -> [UInt8] {
    var header = [UInt8].zeros(512)
    header.replaceSubrange(0..<8, with: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
    header.replaceSubrange(24..<34, with: [62, 0, 3, 0, 0xFE, 0xFF, 9, 0, 6, 0])
    let none = 0xFFFF_FFFF
    var directory = entry("Root Entry", right: none, child: streams.isEmpty ? none : 1)
    for (index, stream) in streams.enumerated() {
      directory += entry(stream, right: index + 1 < streams.count ? index + 2 : none, child: none)
    }
    return header + directory + .zeros(2048)
  }

  private static func entry(_ name: String, right: Int, child: Int) -> [UInt8] {
    let name = name.utf16.flatMap { [UInt8](Int($0), count: 2) }
    return name + .zeros(64 - name.count) + .init(name.count + 2, count: 2) + [2, 1] + .init(0xFFFF_FFFF, count: 4)
      + .init(right, count: 4) + .init(child, count: 4) + .zeros(48)
  }
}
