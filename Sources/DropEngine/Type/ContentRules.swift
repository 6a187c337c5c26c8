/// The content rules of the shared MIME database, from its `mime.cache`.
///
/// GIO tries every rule at every place where it may hold. Here a rule that begins at the first byte is tried only where
/// that byte fits, which is a tenth of the time; the answers are the same. The format is that of the shared MIME-info
/// specification, "The mime.cache files".
package struct ContentRules: Sendable {
  private struct Rule {
    let priority: Int
    let type: String
    let tests: Range<Int>
  }

  /// One comparison; where it holds, one of `below` must hold too, if there are any.
  private struct Test {
    let starts: Range<Int>
    let value: Range<Int>
    let mask: Int?
    let below: Range<Int>
  }

  private let cache: [UInt8]
  private var rules: [Rule] = []
  private var tests: [Test] = []
  /// The rules worth trying on content that begins with a byte, first ones first.
  private var byFirstByte = [[Int]](repeating: [], count: 256)

  /// How deep tests may lie below tests; real ones stop at three.
  private static let deepest = 16
  /// More than any real database has.
  private static let most = 1 << 16

  /// Nil where it is none of the version that is known.
  package init?(cache: [UInt8]) {
    self.cache = cache
    guard number16(at: 0) == 1, let list = number(at: 24), let count = number(at: list), count <= Self.most,
      let first = number(at: list + 8)
    else { return nil }
    for index in 0..<count {
      let place = first + 16 * index
      guard let priority = number(at: place), let type = number(at: place + 4).flatMap(text),
        let tests = readTests(number(at: place + 8), at: number(at: place + 12), depth: 0)
      else { return nil }
      rules.append(Rule(priority: priority, type: type, tests: tests))
    }
    for (index, rule) in rules.enumerated() {
      for byte in 0..<256 where rule.tests.contains(where: { mayHold(tests[$0], first: UInt8(byte)) }) {
        byFirstByte[byte].append(index)
      }
    }
  }

  /// The first rule that holds for a file's first bytes; nil where none does.
  package func match(_ head: [UInt8]) -> (type: String, priority: Int)? {
    guard let first = head.first else { return nil }
    for index in byFirstByte[Int(first)] where rules[index].tests.contains(where: { holds(tests[$0], head) }) {
      return (rules[index].type, rules[index].priority)
    }
    return nil
  }
}

// What a test says.
extension ContentRules {
  private func holds(_ test: Test, _ head: [UInt8]) -> Bool {
    guard isAnywhere(test, head) else { return false }
    return test.below.isEmpty || test.below.contains { holds(tests[$0], head) }
  }

  private func isAnywhere(_ test: Test, _ head: [UInt8]) -> Bool {
    let end = min(test.starts.upperBound, head.count - test.value.count + 1)
    guard let first = test.value.first else { return test.starts.lowerBound < end }
    var start = test.starts.lowerBound
    let mask = test.mask.map { cache[$0] } ?? 0xFF
    let wanted = cache[first] & mask
    while start < end {
      if head[start] & mask == wanted, isAt(start, test, head) { return true }
      start += 1
    }
    return false
  }

  private func isAt(_ start: Int, _ test: Test, _ head: [UInt8]) -> Bool {
    for offset in 0..<test.value.count {
      let mask = test.mask.map { cache[$0 + offset] } ?? 0xFF
      if (cache[test.value.lowerBound + offset] ^ head[start + offset]) & mask != 0 { return false }
    }
    return true
  }

  private func mayHold(_ test: Test, first: UInt8) -> Bool {
    guard test.starts == 0..<1, let value = test.value.first else { return true }
    return (cache[value] ^ first) & (test.mask.map { cache[$0] } ?? 0xFF) == 0
  }
}

// What the file says: numbers with the highest byte first.
extension ContentRules {
  private mutating func readTests(_ count: Int?, at place: Int?, depth: Int) -> Range<Int>? {
    guard let count, let place, depth < Self.deepest, count <= Self.most - tests.count else { return nil }
    let range = tests.count..<(tests.count + count)
    for index in 0..<count {
      guard let test = readTest(at: place + 32 * index) else { return nil }
      tests.append(test)
    }
    // Those below go after all of this level, so that each level lies together.
    for (index, number) in range.enumerated() {
      let entry = place + 32 * index
      guard let below = readTests(self.number(at: entry + 24), at: self.number(at: entry + 28), depth: depth + 1) else {
        return nil
      }
      let test = tests[number]
      tests[number] = Test(starts: test.starts, value: test.value, mask: test.mask, below: below)
    }
    return range
  }

  private func readTest(at place: Int) -> Test? {
    guard let start = number(at: place), let length = number(at: place + 4), let count = number(at: place + 12),
      let value = number(at: place + 16), let mask = number(at: place + 20),
      cache.slice(at: value, count: count) != nil, mask == 0 || cache.slice(at: mask, count: count) != nil
    else { return nil }
    return Test(
      starts: start..<(start + length), value: value..<(value + count), mask: mask == 0 ? nil : mask, below: 0..<0)
  }

  private func number16(at place: Int) -> Int? {
    cache.slice(at: place, count: 2)?.reduce(0) { $0 << 8 | Int($1) }
  }

  private func number(at place: Int) -> Int? {
    cache.slice(at: place, count: 4)?.reduce(0) { $0 << 8 | Int($1) }
  }

  private func text(at place: Int) -> String? {
    guard place < cache.count, let end = cache[place...].firstIndex(of: 0) else { return nil }
    return String(decoding: cache[place..<end], as: UTF8.self)
  }
}
