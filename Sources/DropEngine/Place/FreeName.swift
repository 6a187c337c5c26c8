/// The alternative names for a payload whose name already exists: `STEM.1.EXT`, `STEM.2.EXT` and so on.
///
/// EXT follows the last dot that is not the first byte. If the name would be too long, its stem is truncated between two
/// characters. `reserve` bytes are kept for a suffix, such as the suffix of a reason file.
package enum FreeName {
  package static func candidate(_ name: RawPath, number: Int, limit: Int = 255, reserve: Int = 0) -> RawPath {
    let ext = name.fileExtension.map { [.dot] + $0.bytes } ?? []
    let mark = number == 0 ? [] : [.dot] + Array(String(number).utf8)
    let tail = mark + ext
    let room = limit - reserve
    guard tail.count < room else {
      // If the extension leaves no room for a stem, the whole name is truncated, and the number comes last.
      let mark = mark.count < room ? mark : []
      return RawPath(bytes: cut(name.bytes, to: room - mark.count) + mark)
    }
    return RawPath(bytes: cut(name.stem.bytes, to: room - tail.count) + tail)
  }

  /// A number from `first` on whose name does not exist. It is the first such number if the existing ones are consecutive.
  ///
  /// After a few single steps, ever longer steps find the end of the existing names: a hundred thousand of them take about
  /// thirty checks.
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

  /// Truncates to at most `count` bytes, without an incomplete UTF-8 sequence at the end.
  private static func cut(_ bytes: [UInt8], to count: Int) -> [UInt8] {
    guard bytes.count > count else { return bytes }
    var end = max(0, count)
    while end > 0, end > count - 4, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
  }
}
