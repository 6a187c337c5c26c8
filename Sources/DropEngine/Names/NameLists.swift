/// The kind of a file as far as its name tells.
package enum NameKind: Hashable, Sendable {
  case ordinary
  /// The file is staged, but never released under this name. With `renamesFailures`, the program also renames a file to its
  /// final name if the transfer was interrupted, so the rename proves nothing.
  case temporary(renamesFailures: Bool)
  /// The file is left alone, and never staged.
  case junk
}

/// The names that a zone leaves alone, and those that are temporary: the built-in lists and the zone's own.
package struct NameLists: Hashable, Sendable {
  private let junk: [Glob]
  let temporary: [Glob]

  /// Adds the patterns of `Ignore=` and `Temporary=` to the built-in ones.
  package init(ignore: [String] = [], temporary: [String] = []) throws(GlobError) {
    // The zone's own patterns come first, because they are more specific than the built-in ones.
    self.junk = try Self.compiled(ignore) + Self.shippedJunk
    self.temporary = try Self.compiled(temporary) + Self.shippedTemporary
  }

  private static func compiled(_ patterns: [String]) throws(GlobError) -> [Glob] {
    var globs: [Glob] = []
    for pattern in patterns { globs.append(try Glob(pattern)) }
    return globs
  }

  /// The kind of one component of a location, which is the name of a file or a directory.
  package func kind(of name: RawPath) -> NameKind {
    kind(of: name.bytes.span)
  }

  /// The kind of a location. A component that is junk, or else one that is temporary, applies to everything below it.
  package func kind(ofLocation location: RawPath) -> NameKind {
    let bytes = location.bytes.span
    var kind = NameKind.ordinary
    var start = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == .slash {
      if end > start {
        switch self.kind(of: bytes.extracting(start..<end)) {
        case .ordinary: break
        case .junk: return .junk
        case .temporary(let renames): kind = .temporary(renamesFailures: renames || kind.renamesFailures)
        }
      }
      start = end + 1
    }
    return kind
  }

  private func kind(of name: Span<UInt8>) -> NameKind {
    if name.begins(with: Self.ownPrefix) {
      return name.begins(with: Self.putPrefix) && name.count > Self.putPrefix.count
        ? .temporary(renamesFailures: false) : .junk
    }
    for glob in junk where glob.matches(name) { return .junk }
    if Self.rsyncCore(in: name) != nil { return .temporary(renamesFailures: true) }
    if !name.isEmpty, name[0] == .dot { return .temporary(renamesFailures: false) }
    for glob in temporary where glob.matches(name) { return .temporary(renamesFailures: false) }
    return .ordinary
  }

  /// The range of NAME in rsync's `.NAME.XXXXXX`.
  static func rsyncCore(in name: Span<UInt8>) -> Range<Int>? {
    let dot = name.count - 7
    guard dot >= 2, name[0] == .dot, name[dot] == .dot else { return nil }
    for index in (dot + 1)..<name.count where !name[index].isASCIIAlphanumeric { return nil }
    return 1..<dot
  }

  static let ownPrefix = Array(".dropzone-".utf8)
  private static let putPrefix = Array(".dropzone-put-".utf8)
}

extension NameKind {
  package var renamesFailures: Bool {
    if case .temporary(let renames) = self { renames } else { false }
  }

  package var isTemporary: Bool {
    if case .temporary = self { true } else { false }
  }
}
