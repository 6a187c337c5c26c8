/// A promise that was not kept.
package struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Rule: String, Hashable, Sendable, CaseIterable {
    case lost, doubled, unjudged, replaced, deliveredTwice, receipts, leftover, unsettled
  }

  package let rule: Rule
  package let detail: String

  package var description: String { "\(rule.rawValue): \(detail)" }
}
