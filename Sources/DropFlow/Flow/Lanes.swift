import DropSystem

/// Work on many payloads that needs no order, spread over the processors.
enum Lanes {
  /// Fewer than this are not worth a second thread.
  private static let least = 16

  /// Calls `body` with every part of `items`, side by side; returns the results in the order of the items.
  static func map<Item: Sendable, Result: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (ArraySlice<Item>) -> [Result]
  ) async -> [Result] {
    let count = min(Machine.processors, items.count / least)
    guard count > 1 else { return body(items[...]) }
    return await withTaskGroup(of: (lane: Int, results: [Result]).self) { group in
      for lane in 0..<count {
        group.addTask { (lane, body(items[(items.count * lane / count)..<(items.count * (lane + 1) / count)])) }
      }
      var parts = [[Result]](repeating: [], count: count)
      for await part in group { parts[part.lane] = part.results }
      return parts.flatMap { $0 }
    }
  }
}
