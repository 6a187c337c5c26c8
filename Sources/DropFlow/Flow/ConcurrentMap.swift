import DropSystem

// Work on many payloads, moved off the actor that asks for it so that the actor can do other things in the meantime.

/// Batches smaller than this run on the caller's thread: switching threads would cost more than the work.
let concurrencyThreshold = 16

/// Calls `body` with consecutive parts of `items` in parallel, and returns the results in the order of the items.
///
/// - Parameter isLong: Whether even a single item may take long, so that the work always leaves the caller's thread.
nonisolated(nonsending) func concurrentMap<Item: Sendable, Result: Sendable>(
  _ items: [Item], isLong: Bool = false, _ body: @escaping @Sendable (ArraySlice<Item>) -> [Result]
) async -> [Result] {
  let count = min(Machine.processors, items.count / concurrencyThreshold)
  guard count > 1 else { return isLong ? await offActor { body(items[...]) } : body(items[...]) }
  return await withTaskGroup(of: (part: Int, results: [Result]).self) { group in
    for part in 0..<count {
      group.addTask { (part, body(items[(items.count * part / count)..<(items.count * (part + 1) / count)])) }
    }
    var parts = [[Result]](repeating: [], count: count)
    for await part in group { parts[part.part] = part.results }
    return parts.flatMap { $0 }
  }
}

/// Calls `body` with each of `items` in order.
nonisolated(nonsending) func serialMap<Item: Sendable, Result: Sendable>(
  _ items: [Item], _ body: @escaping @Sendable (Item) -> Result
) async -> [Result] {
  items.count < concurrencyThreshold ? items.map(body) : await offActor { items.map(body) }
}

/// Calls `body`, which may wait for a disk, on another thread.
@concurrent func offActor<Result: Sendable>(_ body: @Sendable () -> Result) async -> Result {
  body()
}
