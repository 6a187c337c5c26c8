/// Directories that are to be scanned, in order, each once.
package struct ScanQueue: Sendable {
  private var order = Queue<Int32>()
  /// Whether the directories below it are to be scanned as well.
  private var deep: [Int32: Bool] = [:]

  package init() {}

  package var isEmpty: Bool { deep.isEmpty }

  package mutating func add(_ directory: Int32, deep isDeep: Bool) {
    if let known = deep[directory] {
      deep[directory] = known || isDeep
    } else {
      deep[directory] = isDeep
      order.append(directory)
    }
  }

  package mutating func next() -> (directory: Int32, isDeep: Bool)? {
    guard let directory = order.popFirst(), let isDeep = deep.removeValue(forKey: directory) else { return nil }
    return (directory, isDeep)
  }
}
