/// Payloads that wait until fewer are on their way to the claim, in order, each once however often it is inspected.
struct PostponedPayloads: Sendable {
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
