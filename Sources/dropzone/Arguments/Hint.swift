import DropEngine

/// What somebody may have meant.
enum Hint {
  /// `; did you mean 'status'?`, or nothing where no candidate is near.
  static func nearest(to word: String, among candidates: [String]) -> String {
    Spelling.nearest(to: word, among: candidates).map { "; did you mean '\(Escaping.escape($0))'?" } ?? ""
  }
}
