/// The bytes of a file: the first `length` of what one source writes.
///
/// Two files with the same source and length have the same bytes.
package struct Content: Hashable, Sendable {
  package var source: UInt32
  package var length: UInt32

  package init(source: UInt32, length: UInt32) {
    self.source = length == 0 ? 0 : source
    self.length = length
  }

  package static let empty = Content(source: 0, length: 0)

  /// Bytes that nobody wrote: old and new blocks side by side, or zeros.
  private static let tornBit: UInt32 = 1 << 31

  package var isTorn: Bool { source & Self.tornBit != 0 }

  /// What a power cut may leave of a file that had these bytes on the disk and `newer` ones in memory.
  ///
  /// The first is what was on the disk, the last what was in memory. A length may be there before its bytes are: ext4
  /// leaves zeros where a file was truncated or renamed over another one.
  package func remains(replacedBy newer: Content) -> [Content] {
    if self == newer { return [self] }
    let torn = Content(source: newer.source | Self.tornBit, length: max(length, newer.length))
    if self == .empty || newer == .empty || source == newer.source {
      let (shorter, longer) = length < newer.length ? (self, newer) : (newer, self)
      let middle = Content(source: longer.source, length: (shorter.length + longer.length) / 2)
      return middle.length == shorter.length ? [self, torn, newer] : [self, middle, torn, newer]
    }
    return [self, .empty, Content(source: newer.source, length: newer.length / 2), torn, newer]
  }
}
