/// What a handler said beside its exit status: the first line of its standard output.
package struct HandlerAnswer: Hashable, Sendable {
  /// Why, escaped and cut, ready to be shown.
  package var reason: String?
  package var operation: Operation?
  /// The directory below the box, relative.
  package var destination: RawPath?
  /// The name in the box, one component.
  package var name: RawPath?

  /// What a handler may ask for in place of the zone's operation.
  package enum Operation: String, Hashable, Sendable, CaseIterable { case move, copy, forbidden }

  package init(reason: String? = nil, operation: Operation? = nil, destination: RawPath? = nil, name: RawPath? = nil) {
    self.reason = reason
    self.operation = operation
    self.destination = destination
    self.name = name
  }

  /// What is wrong with an answer; the message says which key and why.
  package struct Flaw: Error, Hashable, Sendable {
    package let message: String
    /// The reason that was given all the same, for where only that is needed.
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

  /// Whether `line` is meant as a JSON object and not as a plain reason.
  package static func looksLikeObject(_ line: [UInt8]) -> Bool {
    line.first { !blanks.contains($0) } == UInt8(ascii: "{")
  }

  /// Makes a reason of one line of text, whatever its bytes are; nil when nothing is left to show.
  package static func reason(_ line: [UInt8]) -> String? {
    var text = line[...]
    while let first = text.first, blanks.contains(first) { text = text.dropFirst() }
    while let last = text.last, blanks.contains(last) { text = text.dropLast() }
    if text.isEmpty { return nil }
    guard text.count > reasonLimit else { return Escaping.escape(Array(text)) }
    var cut = text.prefix(reasonLimit)
    // Not in the middle of a character: its first byte is at most three back.
    let start = cut.indices.suffix(4).last { cut[$0] & 0xC0 != 0x80 }
    if let start, cut[start] >= 0xC0 { cut = cut[..<start] }
    return Escaping.escape(Array(cut)) + "…"
  }

  private static let blanks: Set<UInt8> = [
    UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
  ]
}

// MARK: - Places inside the box

extension HandlerAnswer {
  /// The longest destination, in bytes and in directories.
  package static let destinationLimit = 4095
  package static let depthLimit = 64
  /// The longest name a Linux file system takes, in bytes.
  package static let nameLimit = 255

  /// Checks a destination: relative, downwards only.
  package static func destination(_ path: RawPath, key: String = "destination") throws(Flaw) -> RawPath {
    guard !path.isEmpty else { throw Flaw("`\(key)` is empty") }
    guard path.bytes.count <= destinationLimit else {
      throw Flaw("`\(key)` has \(path.bytes.count) bytes, at most \(destinationLimit) are allowed")
    }
    guard path.bytes.first != .slash else { throw Flaw("`\(key)` is absolute: '\(path)'") }
    let parts = path.bytes.split(separator: .slash, omittingEmptySubsequences: false)
    guard parts.count <= depthLimit else {
      throw Flaw("`\(key)` is \(parts.count) directories deep, at most \(depthLimit) are allowed")
    }
    for part in parts { try checkPart(Array(part), of: path, key: key) }
    return path
  }

  /// Checks a name: one component, no directory.
  package static func name(_ name: RawPath, key: String = "name") throws(Flaw) -> RawPath {
    guard !name.isEmpty else { throw Flaw("`\(key)` is empty") }
    guard !name.bytes.contains(.slash) else { throw Flaw("`\(key)` has a slash: '\(name)'") }
    try checkPart(name.bytes, of: name, key: key)
    return name
  }

  private static func checkPart(_ part: [UInt8], of whole: RawPath, key: String) throws(Flaw) {
    guard !part.isEmpty else { throw Flaw("`\(key)` has an empty part: '\(whole)'") }
    guard part != [.dot] else { throw Flaw("`\(key)` has '.' in it: '\(whole)'") }
    guard part != [.dot, .dot] else { throw Flaw("`\(key)` has '..' in it: '\(whole)'") }
    guard !part.contains(0) else { throw Flaw("`\(key)` has a zero byte: '\(whole)'") }
    guard part.count <= nameLimit else {
      throw Flaw("`\(key)` has a part of \(part.count) bytes, at most \(nameLimit) are allowed")
    }
    // Names of this kind are our temporaries: recovery would remove what carries one.
    guard !part.starts(with: Array(".dropzone-".utf8)) else {
      throw Flaw("`\(key)` begins with '.dropzone-', which is kept for the daemon's own files: '\(whole)'")
    }
  }
}
