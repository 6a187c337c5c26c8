/// The answers to every "which of these?" that the model leaves open, such as what a power cut keeps.
///
/// A list of answers makes a run repeatable. `next` gives the list that follows, so that a loop visits every
/// combination without knowing in advance which questions will be asked.
package struct Choices: Hashable, Sendable {
  private let given: [UInt8]
  /// What was answered so far.
  package private(set) var answers: [UInt8] = []
  private var counts: [UInt8] = []

  /// - Parameter answers: Where the list ends, the first possibility is taken.
  package init(_ answers: [UInt8] = []) {
    given = answers
  }

  /// As many random answers as a cut asks for at most, in practice.
  package init(random: inout SplitMix64) {
    let (first, second) = (random.next(), random.next())
    given = (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? first : second) >> UInt64($0 % 8 * 8)) }
  }

  /// Chooses one of `count` possibilities, at most 255.
  package mutating func choose(_ count: Int) -> Int {
    guard count > 1 else { return 0 }
    let count = min(count, 255)
    let answer = answers.count < given.count ? given[answers.count] % UInt8(count) : 0
    answers.append(answer)
    counts.append(UInt8(count))
    return Int(answer)
  }

  /// The answers that come after those that were given, in the order of an odometer; nil after the last.
  package var next: Choices? {
    guard let index = answers.indices.last(where: { answers[$0] + 1 < counts[$0] }) else { return nil }
    return Choices(answers[..<index] + [answers[index] + 1])
  }
}
