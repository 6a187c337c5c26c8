/// The names a payload is tried under when its own is taken: `STEM.1.EXT`, `STEM.2.EXT`, ….
///
/// EXT follows the last dot that is not the first byte. Where the name would be too long its stem is cut at a
/// character's border; `reserve` bytes are kept for a suffix, such as that of a reason file.
package enum FreeName {
  package static func candidate(_ name: RawPath, number: Int, limit: Int = 255, reserve: Int = 0) -> RawPath {
    let ext = name.fileExtension.map { [.dot] + $0.bytes } ?? []
    let mark = number == 0 ? [] : [.dot] + Array(String(number).utf8)
    let tail = mark + ext
    let room = limit - reserve
    guard tail.count < room else {
      // An extension that leaves no room for a stem is cut like the rest of the name, and the number comes last.
      let mark = mark.count < room ? mark : []
      return RawPath(bytes: cut(name.bytes, to: room - mark.count) + mark)
    }
    return RawPath(bytes: cut(name.stem.bytes, to: room - tail.count) + tail)
  }

  /// A number from `first` on whose name is not taken: the first, where those that are taken come one after the other.
  ///
  /// Behind a few that are tried each by itself, ever longer steps find their end: a hundred thousand cost some thirty
  /// looks.
  package static func firstFree(from first: Int, isTaken: (Int) -> Bool) -> Int {
    let few = 16
    for number in first..<(first + few) where !isTaken(number) { return number }
    var (taken, step) = (first + few - 1, few)
    while step < 1 << 40, isTaken(taken + step) {
      taken += step
      step *= 2
    }
    var free = taken + step
    while free - taken > 1 {
      let middle = taken + (free - taken) / 2
      if isTaken(middle) { taken = middle } else { free = middle }
    }
    return free
  }

  /// At most `count` bytes, without half a UTF-8 sequence at the end.
  private static func cut(_ bytes: [UInt8], to count: Int) -> [UInt8] {
    guard bytes.count > count else { return bytes }
    var end = max(0, count)
    while end > 0, end > count - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
  }
}
