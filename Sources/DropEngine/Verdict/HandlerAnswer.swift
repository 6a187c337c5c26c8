/// A handler's answer in addition to its exit status, from the first line of its standard output.
package struct HandlerAnswer: Hashable, Sendable {
  /// The reason, escaped and truncated for display.
  package var reason: String?
  package var operation: Operation?
  /// The directory, relative to the box.
  package var destination: RawPath?
  /// The name in the box, which is a single component.
  package var name: RawPath?

  /// The operation that a handler may choose instead of the zone's.
  package enum Operation: String, Hashable, Sendable, CaseIterable { case move, copy, forbidden }

  package init(reason: String? = nil, operation: Operation? = nil, destination: RawPath? = nil, name: RawPath? = nil) {
    self.reason = reason
    self.operation = operation
    self.destination = destination
    self.name = name
  }

  /// An error in an answer; the message names the key and what is wrong.
  package struct Flaw: Error, Hashable, Sendable {
    package let message: String
    /// The reason in the answer, for outcomes that need nothing else.
    package var reason: String?

    package init(_ message: String, reason: String? = nil) {
      self.message = message
      self.reason = reason
    }
  }
}

extension HandlerAnswer {
  /// The longest reason that is kept, in bytes before escaping.
  package static let reasonLimit = 1024

  /// Whether `line` is meant to be a JSON object, and not plain text.
  package static func looksLikeObject(_ line: [UInt8]) -> Bool {
    line.first { !blanks.contains($0) } == UInt8(ascii: "{")
  }

  /// Makes a reason from a line with any bytes; nil if nothing is left to show.
  package static func reason(_ line: [UInt8]) -> String? {
    var text = line[...]
    while let first = text.first, blanks.contains(first) { text = text.dropFirst() }
    while let last = text.last, blanks.contains(last) { text = text.dropLast() }
    if text.isEmpty { return nil }
    guard text.count > reasonLimit else { return Escaping.escape(Array(text)) }
    var cut = text.prefix(reasonLimit)
    // Do not split a character; its first byte is at most three bytes back.
    let start = cut.indices.suffix(4).last { cut[$0] & 0xC0 != 0x80 }
    if let start, cut[start] >= 0xC0 { cut = cut[..<start] }
    return Escaping.escape(Array(cut)) + "…"
  }

  private static let blanks: Set<UInt8> = [
    UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
  ]
}

// MARK: - Names and directories in the box

extension HandlerAnswer {
  /// The limits of a destination, in bytes and in directories.
  package static let destinationLimit = 4095
  package static let depthLimit = 64
  /// The longest name that Linux file systems allow, in bytes.
  package static let nameLimit = 255

  /// Checks that a destination is relative, and does not lead upwards.
  package static func destination(_ path: RawPath, key: String = "destination") throws(Flaw) -> RawPath {
    guard !path.isEmpty else { throw Flaw("`\(key)` is empty") }
    guard path.bytes.count <= destinationLimit else {
      throw Flaw("`\(key)` has \(path.bytes.count) bytes; the limit is \(destinationLimit)")
    }
    guard path.bytes.first != .slash else { throw Flaw("`\(key)` is absolute: '\(path)'") }
    let parts = path.bytes.split(separator: .slash, omittingEmptySubsequences: false)
    guard parts.count <= depthLimit else {
      throw Flaw("`\(key)` is \(parts.count) directories deep; the limit is \(depthLimit)")
    }
    for part in parts { try checkPart(Array(part), of: path, key: key) }
    return path
  }

  /// Checks that a name is a single component.
  package static func name(_ name: RawPath, key: String = "name") throws(Flaw) -> RawPath {
    guard !name.isEmpty else { throw Flaw("`\(key)` is empty") }
    guard !name.bytes.contains(.slash) else { throw Flaw("`\(key)` contains a slash: '\(name)'") }
    try checkPart(name.bytes, of: name, key: key)
    return name
  }

  private static func checkPart(_ part: [UInt8], of whole: RawPath, key: String) throws(Flaw) {
    guard !part.isEmpty else { throw Flaw("`\(key)` has an empty component: '\(whole)'") }
    guard part != [.dot] else { throw Flaw("`\(key)` contains '.': '\(whole)'") }
    guard part != [.dot, .dot] else { throw Flaw("`\(key)` contains '..': '\(whole)'") }
    guard !part.contains(0) else { throw Flaw("`\(key)` contains a zero byte: '\(whole)'") }
    guard part.count <= nameLimit else {
      throw Flaw("`\(key)` has a component of \(part.count) bytes; the limit is \(nameLimit)")
    }
    // Our temporary files have such names, and recovery would remove a payload with one.
    guard !part.starts(with: Array(".dropzone-".utf8)) else {
      throw Flaw("`\(key)` begins with '.dropzone-', which is reserved for the daemon's own files: '\(whole)'")
    }
  }
}
