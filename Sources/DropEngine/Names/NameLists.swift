/// What a name says of a file before anything is known of its content.
package enum NameKind: Hashable, Sendable {
  case ordinary
  /// Staged, and never released under this name. What `renamesFailures` goes to its final name also when the
  /// transfer was cut off, so that the rename proves nothing.
  case temporary(renamesFailures: Bool)
  /// Left alone, never staged.
  case junk
}

/// The names a zone leaves alone, and those it only waits for: the shipped lists and the zone's own.
package struct NameLists: Hashable, Sendable {
  private let junk: [Glob]
  let temporary: [Glob]

  /// Adds the patterns of `Ignore=` and `Temporary=` to the shipped ones.
  package init(ignore: [String] = [], temporary: [String] = []) throws(GlobError) {
    // Own patterns first: what a zone says of a name is more exact than what is shipped.
    self.junk = try Self.compiled(ignore) + Self.shippedJunk
    self.temporary = try Self.compiled(temporary) + Self.shippedTemporary
  }

  private static func compiled(_ patterns: [String]) throws(GlobError) -> [Glob] {
    var globs: [Glob] = []
    for pattern in patterns { globs.append(try Glob(pattern)) }
    return globs
  }

  /// What one part of a location says, be it a file's or a directory's name.
  package func kind(of name: RawPath) -> NameKind {
    kind(of: name.bytes.span)
  }

  /// What a whole location says: a part that is junk, then one that is temporary, counts for everything below it.
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

  /// Where NAME lies in rsync's `.NAME.XXXXXX`.
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
