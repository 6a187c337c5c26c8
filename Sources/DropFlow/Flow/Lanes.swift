import DropSystem

/// Work on many payloads, taken off the actor of their flow so that others go on meanwhile.
///
/// The way to another thread and back costs more than the work on a few: that is done where the caller is.
enum Lanes {
  /// Fewer than this are not worth a second thread.
  static let least = 16

  /// Calls `body` with every part of `items`, which need no order, side by side on the processors; returns the results
  /// in the order of the items.
  ///
  /// - Parameter isLong: Few of them take long too.
  nonisolated(nonsending) static func map<Item: Sendable, Result: Sendable>(
    _ items: [Item], isLong: Bool = false, _ body: @escaping @Sendable (ArraySlice<Item>) -> [Result]
  ) async -> [Result] {
    let count = min(Machine.processors, items.count / least)
    guard count > 1 else { return isLong ? await aside { body(items[...]) } : body(items[...]) }
    return await withTaskGroup(of: (lane: Int, results: [Result]).self) { group in
      for lane in 0..<count {
        group.addTask { (lane, body(items[(items.count * lane / count)..<(items.count * (lane + 1) / count)])) }
      }
      var parts = [[Result]](repeating: [], count: count)
      for await part in group { parts[part.lane] = part.results }
      return parts.flatMap { $0 }
    }
  }

  /// Calls `body` with each of `items`, one after the other.
  nonisolated(nonsending) static func inOrder<Item: Sendable, Result: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (Item) -> Result
  ) async -> [Result] {
    items.count < least ? items.map(body) : await aside { items.map(body) }
  }

  /// Calls `body`, which waits for a disk, on another thread.
  @concurrent static func aside<Result: Sendable>(_ body: @Sendable () -> Result) async -> Result {
    body()
  }
}
