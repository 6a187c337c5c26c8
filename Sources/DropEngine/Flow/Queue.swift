/// First in, first out; taking from the front costs the same however many wait behind.
package struct Queue<Element> {
  private var elements: [Element?] = []
  private var start = 0

  package init() {}

  package var count: Int { elements.count - start }
  package var isEmpty: Bool { count == 0 }
  package var first: Element? { isEmpty ? nil : elements[start] }

  package mutating func append(_ element: Element) {
    elements.append(element)
  }

  package mutating func popFirst() -> Element? {
    guard let first else { return nil }
    elements[start] = nil
    start += 1
    // What was taken goes when it is half of all, so that each element is moved once.
    if start * 2 >= elements.count {
      elements.removeFirst(start)
      start = 0
    }
    return first
  }

  /// Takes those at the front for which `isWanted` holds, `limit` at most; the first is wanted whatever it is.
  package mutating func take(_ limit: Int, while isWanted: (_ first: Element, _ next: Element) -> Bool) -> [Element] {
    guard let first = popFirst() else { return [] }
    var taken = [first]
    while taken.count < limit, let next = self.first, isWanted(first, next), let next = popFirst() {
      taken.append(next)
    }
    return taken
  }
}

extension Queue: Sendable where Element: Sendable {}
