import DropEngine

/// Payloads that are to be asked about later, in order, each once however often it is looked at meanwhile.
struct PostponedAsks {
  private var queue = Queue<PayloadKey>()
  private var keys: Set<PayloadKey> = []

  var isEmpty: Bool { keys.isEmpty }

  mutating func append(_ key: PayloadKey) {
    if keys.insert(key).inserted { queue.append(key) }
  }

  mutating func popFirst() -> PayloadKey? {
    guard let key = queue.popFirst() else { return nil }
    keys.remove(key)
    return key
  }
}
