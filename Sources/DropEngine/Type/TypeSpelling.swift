/// Finds corrections for misspelt types.
enum TypeSpelling {
  /// The most similar candidate, if only a few letters were changed, added or left out.
  static func nearest(to text: String, among candidates: some Collection<String>) -> String? {
    let text = Array(text.utf8.prefix(255))
    let limit = max(1, min(3, text.count / 4))
    var best: (distance: Int, candidate: String)?
    for candidate in candidates where abs(candidate.utf8.count - text.count) <= limit {
      let distance = distance(text, Array(candidate.utf8))
      guard distance <= limit else { continue }
      if let found = best, (found.distance, found.candidate) <= (distance, candidate) { continue }
      best = (distance, candidate)
    }
    return best?.candidate
  }

  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = i
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let changed = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(changed, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
