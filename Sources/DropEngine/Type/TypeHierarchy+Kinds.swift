/// The relation of types and public identifiers.
extension TypeHierarchy {
  package typealias Kind = PublicIdentifiers.Kind

  /// Whether the database or our own checks can identify content as `type`.
  package func isDetectable(_ type: String) -> Bool {
    isDeclared(type) || MagicVocabulary.additional.contains(canonical(type))
  }

  /// Whether `kind` includes `type`.
  package func isType(_ type: String, of kind: Kind) -> Bool {
    switch kind {
    case .everything: true
    case .type(let wanted): conforms(type, to: wanted)
    case .family(let family):
      Self.family(of: canonical(type)) == family
        || supertypes(of: type).contains { Self.family(of: $0) == family }
    }
  }

  /// Whether `other` includes everything that `kind` includes.
  package func isKind(_ kind: Kind, of other: Kind) -> Bool {
    switch (kind, other) {
    case (_, .everything): true
    case (.everything, _): false
    case (.type(let type), _): isType(type, of: other)
    case (.family(let family), .family(let wanted)): family == wanted
    // If it is true for an undeclared type in this family, it is true for the whole family.
    case (.family(let family), .type): isType("\(family)/*", of: other)
    }
  }
}
