import DropEngine

/// Counts which transitions of the delivery machine, kinds of failure and rows of the recovery tables were met.
package final class Coverage {
  package private(set) var transitions: [String: Int] = [:]
  package private(set) var failures: [String: Int] = [:]
  package private(set) var recoveries: [String: Int] = [:]
  package private(set) var phases: [String: Int] = [:]

  package init() {}

  /// Counts what the short scripts and some random ones meet.
  package static func run(seeds: ClosedRange<UInt64>, cutStates: Int = 3) -> Coverage {
    let coverage = Coverage()
    for script in ShortScripts.all() {
      var explorer = Explorer()
      explorer.cutStates = cutStates
      explorer.coverage = coverage
      explorer.explore(script)
    }
    for seed in seeds { _ = RandomRun(seed: seed, coverage: coverage) }
    return coverage
  }

  func count(_ before: Delivery, _ event: Delivery.Event, _ after: Delivery) {
    if case .failed(let failure) = event { failures[failure.kind.rawValue, default: 0] += 1 }
    if case .found(let found) = event { recoveries[RecoveryRow.name(of: before.drop, found), default: 0] += 1 }
    let phase = Self.phase(of: before)
    phases[phase, default: 0] += 1
    let outcome = if case .failed = event { "failed" } else { "done" }
    transitions["\(phase) \(outcome) -> \(Self.phase(of: after))", default: 0] += 1
  }

  /// The names of a delivery's phase and what the phase is at, without what they carry.
  static func phase(of delivery: Delivery) -> String {
    guard let phase = Mirror(reflecting: delivery).children.first(where: { $0.label == "phase" })?.value else {
      return "?"
    }
    let (outer, inner) = caseName(of: phase)
    guard let inner else { return outer }
    return "\(outer).\(caseName(of: inner).name)"
  }

  private static func caseName(of value: Any) -> (name: String, inside: Any?) {
    guard let child = Mirror(reflecting: value).children.first, let label = child.label else {
      return ("\(value)", nil)
    }
    return (label, child.value)
  }
}
