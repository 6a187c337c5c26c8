/// Finds corrections for misspelt words.
package enum Spelling {
  /// The candidate most similar to `word`, if at most a third of its letters differ.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let typed = Array(word.utf8.map(\.folded))
    guard !typed.isEmpty, typed.count <= 64 else { return nil }
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
      let bytes = candidate.utf8.map(\.folded)
      let distance = distance(typed, bytes)
      guard distance <= max(1, max(bytes.count, typed.count) / 3), distance < best?.distance ?? .max else { continue }
      best = (distance, candidate)
    }
    return best?.candidate
  }

  /// The number of letters that were added, left out, replaced, or swapped with their neighbour.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, beforeLast[j - 1] + 1) }
        row.append(least)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
