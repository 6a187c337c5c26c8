package import DropEngine

extension ContentTyper {
  /// Reads an entry of `Types=`; the error says what is wrong with it and what may have been meant.
  package func pattern(_ text: String) throws(TypePatternError) -> TypePattern {
    try TypePattern(text, in: hierarchy) { ContentSniffer.knows($0) }
  }

  /// Whether `typed` is of a type that `patterns` take; without any they take all.
  package func matches(_ typed: TypedContent, patterns: [TypePattern]) -> Bool {
    patterns.isEmpty || patterns.contains { $0.matches(typed.type, in: hierarchy) }
  }

  /// Whether a payload that claims `claimedType` may turn out to be of a type that `patterns` take.
  ///
  /// For the verdict while a payload arrives, which may be kinder than the last one and never
  /// harsher. A name that says nothing rules nothing out.
  package func mayMatch(
    claimedType: String?, patterns: [TypePattern], grades: Set<Grade> = [.proved, .narrowed]
  ) -> Bool {
    guard !patterns.isEmpty, let claimedType else { return true }
    // What is taken although its name lies, or its content says nothing, may be called anything.
    if grades.contains(.contradicted) || grades.contains(.unproved) { return true }
    return patterns.contains { $0.mayMatch(claim: claimedType, in: hierarchy) }
  }

  /// The same for everything that `name` may stand for.
  package func mayMatch(name: RawPath, patterns: [TypePattern], grades: Set<Grade> = [.proved, .narrowed]) -> Bool {
    let claims = database.claims(of: name)
    return claims.isEmpty || claims.contains { mayMatch(claimedType: $0, patterns: patterns, grades: grades) }
  }
}
