/// The names a payload is tried under when its own is taken: `STEM.1.EXT`, `STEM.2.EXT`, ….
///
/// EXT follows the last dot that is not the first byte. Where the name would be too long its stem is cut at a
/// character's border; `reserve` bytes are kept for a suffix, such as that of a reason file.
package enum FreeName {
  package static func candidate(_ name: RawPath, number: Int, limit: Int = 255, reserve: Int = 0) -> RawPath {
    let ext = name.fileExtension.map { [.dot] + $0.bytes } ?? []
    let tail = (number == 0 ? [] : [.dot] + Array(String(number).utf8)) + ext
    let room = limit - reserve
    // An extension that leaves no room for a stem is cut like the rest of the name.
    guard tail.count < room else { return RawPath(bytes: cut(name.bytes, to: room)) }
    return RawPath(bytes: cut(name.stem.bytes, to: room - tail.count) + tail)
  }

  /// At most `count` bytes, without half a UTF-8 sequence at the end.
  private static func cut(_ bytes: [UInt8], to count: Int) -> [UInt8] {
    guard bytes.count > count else { return bytes }
    var end = max(0, count)
    while end > 0, end > count - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
  }
}
