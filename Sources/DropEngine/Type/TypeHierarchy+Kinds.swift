/// What public identifiers take in, of types and of one another.
extension TypeHierarchy {
  package typealias Kind = PublicIdentifiers.Kind

  /// Whether content can be found to be of `type`, by the database or by a look of our own.
  package func isDetectable(_ type: String) -> Bool {
    isDeclared(type) || MagicVocabulary.additional.contains(canonical(type))
  }

  /// Whether `type` is one of what `kind` takes in.
  package func isType(_ type: String, of kind: Kind) -> Bool {
    switch kind {
    case .everything: true
    case .type(let wanted): conforms(type, to: wanted)
    case .family(let family):
      Self.family(of: canonical(type)) == family
        || supertypes(of: type).contains { Self.family(of: $0) == family }
    }
  }

  /// Whether whatever is of `kind` is of `other` too.
  package func isKind(_ kind: Kind, of other: Kind) -> Bool {
    switch (kind, other) {
    case (_, .everything): true
    case (.everything, _): false
    case (.type(let type), _): isType(type, of: other)
    case (.family(let family), .family(let wanted)): family == wanted
    // What holds of a name in this family that nobody declared holds of all of them.
    case (.family(let family), .type): isType("\(family)/*", of: other)
    }
  }
}
