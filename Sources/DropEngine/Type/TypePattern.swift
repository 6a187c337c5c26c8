/// An entry of `Types=`, which selects types that a zone accepts.
///
/// A media type means the type itself, under each of its names. `image/*` means a family. `text/plain+`, or a uniform type
/// identifier such as `public.image`, means all types that conform to it.
package struct TypePattern: Hashable, Sendable, CustomStringConvertible {
  package typealias Kind = PublicIdentifiers.Kind

  package enum Meaning: Hashable, Sendable {
    /// A type, by its canonical name.
    case exactly(String)
    case family(String)
    case conforming([Kind])
  }

  /// The text as written.
  package let description: String
  package let meaning: Meaning

  /// Parses `text`.
  ///
  /// A type that cannot be proved is an error, because it would silently refuse everything. `isKnown` is called for types
  /// that neither the database nor this package knows.
  package init(
    _ text: String, in hierarchy: TypeHierarchy, isKnown: (String) -> Bool = { _ in false }
  ) throws(TypePatternError) {
    description = text
    meaning = try Self.meaning(of: text, in: hierarchy, isKnown: isKnown)
  }

  /// Creates a pattern for `type` and the types that conform to it, as for a `ContentType`.
  package init(conformingTo type: String, in hierarchy: TypeHierarchy) {
    description = PublicIdentifiers.kinds(of: type) == nil ? type + "+" : type
    meaning = .conforming(PublicIdentifiers.kinds(of: type) ?? [.type(hierarchy.canonical(type))])
  }

  private static func meaning(
    of text: String, in hierarchy: TypeHierarchy, isKnown: (String) -> Bool
  ) throws(TypePatternError) -> Meaning {
    guard text.utf8.count <= 255, !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw TypePatternError(text: text, problem: .malformed)
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let family = parts.first, let name = parts.last else {
      if parts.count == 1 { return try .conforming(identifier(text)) }
      throw TypePatternError(text: text, problem: .malformed)
    }
    guard isToken(family), name == "*" || isToken(name) else {
      throw TypePatternError(text: text, problem: .malformed)
    }
    let families = Set(hierarchy.types.map { String(TypeHierarchy.family(of: $0)) }).union(registered)
    guard families.contains(family.lowercased()) else {
      let nearest = TypeSpelling.nearest(to: family.lowercased(), among: families)
      throw TypePatternError(text: text, problem: .unknownFamily, suggestion: nearest.map { "\($0)/\(name)" })
    }
    if name == "*" { return .family(family.lowercased()) }
    func isDetectable(_ type: String) -> Bool {
      hierarchy.isDetectable(type) || isKnown(type)
    }
    if isDetectable(hierarchy.canonical(text)) { return .exactly(hierarchy.canonical(text)) }
    let stem = String(text.dropLast())
    if text.last == "+", isDetectable(hierarchy.canonical(stem)) {
      return .conforming([.type(hierarchy.canonical(stem))])
    }
    let isOpen = text.last == "+"
    let nearest = TypeSpelling.nearest(to: (isOpen ? stem : text).lowercased(), among: hierarchy.types)
    throw TypePatternError(text: text, problem: .unknownType, suggestion: nearest.map { isOpen ? $0 + "+" : $0 })
  }

  private static func identifier(_ text: String) throws(TypePatternError) -> [Kind] {
    if let kinds = PublicIdentifiers.kinds(of: text.lowercased()) { return kinds }
    let nearest = TypeSpelling.nearest(to: text.lowercased(), among: PublicIdentifiers.all)
    throw TypePatternError(text: text, problem: .unknownIdentifier, suggestion: nearest)
  }

  /// Whether `text` has the form of a media type without parameters.
  package static func isMediaType(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { isToken($0) } && text.utf8.count <= 255
  }

  /// Whether RFC 6838 allows the text in either half of a media type.
  private static func isToken(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, first.isLetter || first.isDigit else { return false }
    return text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$&-^_.+".utf8.contains($0) }
  }

  private static let registered: Set<String> = [
    "application", "audio", "chemical", "font", "image", "inode", "message", "model", "multipart", "text", "video",
  ]

  /// Whether the pattern includes `type`.
  package func matches(_ type: String, in hierarchy: TypeHierarchy) -> Bool {
    switch meaning {
    case .exactly(let wanted): hierarchy.canonical(type) == wanted
    case .family(let family): TypeHierarchy.family(of: hierarchy.canonical(type)) == family
    case .conforming(let kinds): kinds.contains { hierarchy.isType(type, of: $0) }
    }
  }

  /// Whether the pattern includes the claimed type or a subtype, so that content which fits the claim could match.
  package func mayMatch(claim: String, in hierarchy: TypeHierarchy) -> Bool {
    let claim = hierarchy.canonical(claim)
    if WeakGuesses.purposes.contains(claim) { return mayMatch(claim: .plainText, in: hierarchy) }
    if WeakGuesses.covers[claim]?.contains(where: { matches($0, in: hierarchy) }) == true { return true }
    if matches(claim, in: hierarchy) { return true }
    switch meaning {
    case .exactly(let wanted): return hierarchy.conforms(wanted, to: claim)
    case .family(let family): return Self.mayBe(.family(family), claim: claim, in: hierarchy)
    case .conforming(let kinds): return kinds.contains { Self.mayBe($0, claim: claim, in: hierarchy) }
    }
  }

  private static func mayBe(_ kind: Kind, claim: String, in hierarchy: TypeHierarchy) -> Bool {
    switch kind {
    case .everything: true
    case .type(let wanted): hierarchy.conforms(wanted, to: claim)
    case .family(let family):
      hierarchy.types.contains { TypeHierarchy.family(of: $0) == family && hierarchy.conforms($0, to: claim) }
    }
  }
}

/// The reason why an entry of `Types=` is not valid.
package struct TypePatternError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Problem: Hashable, Sendable {
    case malformed, unknownFamily, unknownType, unknownIdentifier
  }

  package let text: String
  package let problem: Problem
  /// The most similar valid entry.
  package let suggestion: String?

  init(text: String, problem: Problem, suggestion: String? = nil) {
    self.text = text
    self.problem = problem
    self.suggestion = suggestion
  }

  package var description: String {
    let shown = Escaping.escape(text)
    let reason =
      switch problem {
      case .malformed:
        "'\(shown)' is neither a media type such as image/png or image/* nor an identifier such as public.image"
      case .unknownFamily: "no media type begins with the first half of '\(shown)'"
      case .unknownType:
        "'\(shown)' is unknown to the shared MIME database and libmagic, so no file could be accepted"
      case .unknownIdentifier: "'\(shown)' is not a public type identifier, and a media type must have a slash"
      }
    return suggestion.map { "\(reason); did you mean '\($0)'?" } ?? reason
  }
}
