import DropEngine

/// What somebody may have meant.
enum Spelling {
  /// `; did you mean 'status'?`, or nothing where no candidate is near.
  static func hint(for word: String, among candidates: [String]) -> String {
    nearest(to: word, among: candidates).map { "; did you mean '\(Escaping.escape($0))'?" } ?? ""
  }

  /// The candidate with the fewest slips, where those are few for its length.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    let word = Array(word.lowercased().unicodeScalars.prefix(64))
    let scored = candidates.map { (candidate: $0, slips: slips(word, Array($0.lowercased().unicodeScalars))) }
    guard let best = scored.min(by: { $0.slips < $1.slips }) else { return nil }
    return best.slips <= max(1, word.count / 3) ? best.candidate : nil
  }

  /// How many letters were left out, added, exchanged, or swapped with their neighbour.
  static func slips(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var row = [i + 1]
      for (j, y) in b.enumerated() {
        var least = min(last[j] + (x == y ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, x == b[j - 1], a[i - 1] == y { least = min(least, before[j - 1] + 1) }
        row.append(least)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
