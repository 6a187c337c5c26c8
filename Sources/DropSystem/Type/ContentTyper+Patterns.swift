package import DropEngine

extension ContentTyper {
  /// Parses an entry of `Types=`. The error says what is wrong and what was probably meant.
  package func pattern(_ text: String) throws(TypePatternError) -> TypePattern {
    try TypePattern(text, in: hierarchy) { ContentSniffer.knows($0) }
  }

  /// Whether content has a type that `patterns` accept. An empty array accepts all types.
  package func matches(_ typed: TypedContent, patterns: [TypePattern]) -> Bool {
    patterns.isEmpty || patterns.contains { $0.matches(typed.type, in: hierarchy) }
  }

  /// Whether a payload that claims `claimedType` may turn out to have a type that `patterns` accept.
  ///
  /// This is for the verdict while a payload arrives, which can be milder than the final one, but never stricter. A name
  /// that claims nothing excludes nothing.
  package func mayMatch(
    claimedType: String?, patterns: [TypePattern], grades: Set<Grade> = [.proved, .narrowed]
  ) -> Bool {
    guard !patterns.isEmpty, let claimedType else { return true }
    // If contradicted or unproved content is accepted, the name does not matter.
    if grades.contains(.contradicted) || grades.contains(.unproved) { return true }
    return patterns.contains { $0.mayMatch(claim: claimedType, in: hierarchy) }
  }

  /// Does the same for each type that `name` may claim.
  package func mayMatch(name: RawPath, patterns: [TypePattern], grades: Set<Grade> = [.proved, .narrowed]) -> Bool {
    let claims = database.claims(of: name)
    return claims.isEmpty || claims.contains { mayMatch(claimedType: $0, patterns: patterns, grades: grades) }
  }
}
