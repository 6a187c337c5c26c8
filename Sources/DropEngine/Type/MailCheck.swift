/// Determines whether text begins with the header of a mail message, with fields in any order.
package enum MailCheck {
  /// The maximum number of bytes of a header to read.
  private static let limit = 1 << 16

  package static func isMessage(_ text: some Collection<UInt8>, isWhole: Bool) -> Bool {
    var known = 0
    var hasOrigin = false
    var isFirst = true
    var rest = Array(text.prefix(limit))[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      // An incomplete line proves nothing.
      if end == nil, !isWhole { break }
      var line = rest[..<(end ?? rest.endIndex)]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      rest = end.map { rest[($0 + 1)...] } ?? []
      if line.isEmpty { break }
      if isFirst, line.starts(with: "From ".utf8) {
        // The line that separates messages in a mailbox.
        isFirst = false
        continue
      }
      if let first = line.first, first == 0x20 || first == 0x09 {
        guard !isFirst else { return false }
        continue
      }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
        line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { return false }
      let field = String(decoding: line[..<colon].map(\.lowercased), as: UTF8.self)
      if fields.contains(field) { known += 1 }
      if origins.contains(field) { hasOrigin = true }
      isFirst = false
    }
    return hasOrigin && known >= 2
  }

  /// The fields for the sender. Without one of these, it is not a message.
  private static let origins: Set<String> = ["from", "received", "return-path", "sender", "resent-from"]

  private static let fields: Set<String> = origins.union([
    "bcc", "cc", "content-transfer-encoding", "content-type", "date", "delivered-to", "dkim-signature", "in-reply-to",
    "list-id", "message-id", "mime-version", "newsgroups", "path", "references", "reply-to", "subject", "to",
  ])
}
