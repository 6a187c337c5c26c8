import DropEngine

/// Suggestions for misspelt words.
enum Suggestion {
  /// Returns `; did you mean 'status'?`, or an empty string if no candidate is similar.
  static func nearest(to word: String, among candidates: [String]) -> String {
    Spelling.nearest(to: word, among: candidates).map { "; did you mean '\(Escaping.escape($0))'?" } ?? ""
  }
}
