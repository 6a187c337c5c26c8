internal import DropEngine

/// The output of a process, of any length: its beginning, and optionally its end.
package struct CapturedOutput: Hashable, Sendable {
  /// The maximum length of each part.
  package static let limit = 65536

  package private(set) var head: [UInt8] = []
  private var recent: [UInt8] = []
  private let keepsTail: Bool
  /// The length of the whole output.
  package private(set) var total: Int64 = 0

  package init(keepsTail: Bool) {
    self.keepsTail = keepsTail
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    total += Int64(bytes.count)
    let room = min(Self.limit - head.count, bytes.count)
    unsafe head.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<room]))
    guard keepsTail, room < bytes.count else { return }
    unsafe recent.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[room...]))
    if recent.count > 2 * Self.limit { recent.removeFirst(recent.count - Self.limit) }
  }

  /// The last bytes, without those in `head`.
  package var tail: [UInt8] { Array(recent.suffix(Self.limit)) }

  /// How many bytes between head and tail were dropped.
  package var cut: Int64 { total - Int64(head.count) - Int64(min(recent.count, Self.limit)) }

  /// The first line without its newline. A line that is longer than the head is not whole.
  package var firstLine: (bytes: [UInt8], isWhole: Bool) {
    guard let end = head.firstIndex(of: UInt8(ascii: "\n")) else { return (head, total == Int64(head.count)) }
    return (Array(head[..<end]), true)
  }

  /// At most `limit` of the first and last bytes, escaped, with a mark where bytes are left out.
  package func excerpt(limit: Int) -> String {
    let kept = head + tail
    if cut == 0, kept.count <= limit { return Escaping.escape(kept) }
    let first = head.prefix(keepsTail ? limit / 2 : limit)
    let last = keepsTail ? Array(kept.dropFirst(first.count).suffix(limit / 2)) : []
    let left = total - Int64(first.count + last.count)
    return "\(Escaping.escape(Array(first))) [… \(left) bytes cut …] \(Escaping.escape(last))"
  }
}
