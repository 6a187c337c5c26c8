import Glibc
import Simulation

/// Runs the delivery machine on a simulated computer, and crashes it at every step.
@main struct Simulate {
  static let help = """
    usage: simulate [--points N] [--seed N] [--depth N]
           simulate --replay 'SCRIPT' | --trace 'SCRIPT' | --seed N --one | --faults | --coverage
    """

  static func main() {
    var arguments = CommandLine.arguments.dropFirst()
    var campaign = Campaign()
    while let option = arguments.popFirst() {
      switch option {
      case "--replay": return replay(arguments.popFirst() ?? "")
      case "--trace": return Script(arguments.popFirst() ?? "")?.trace() ?? print("the script cannot be parsed")
      case "--points": campaign.points = arguments.popFirst().flatMap { Int($0) } ?? campaign.points
      case "--seed": campaign.seed = arguments.popFirst().flatMap { UInt64($0) } ?? campaign.seed
      case "--depth": campaign.depth = arguments.popFirst().flatMap { Int($0) } ?? campaign.depth
      case "--failures": campaign.failuresLimit = arguments.popFirst().flatMap { Int($0) } ?? 1
      case "--faults": return findFaults()
      case "--coverage": return showCoverage(seeds: arguments.popFirst().flatMap { UInt64($0) } ?? 300)
      case "--one": campaign.runsOneSeed = true
      default: return print(help)
      }
    }
    exit(campaign.run() ? 0 : 1)
  }

  /// Shows what each planted fault breaks.
  static func findFaults() {
    for fault in PlantedFault.all { show(fault, FaultHunt(fault)) }
    print("harmless:")
    for fault in PlantedFault.harmless { show(fault, FaultHunt(wide: fault, limit: 60_000)) }
  }

  static func show(_ fault: PlantedFault, _ hunt: FaultHunt) {
    print("\(fault.name): \(hunt.failure.map { "\($0.violation)" } ?? "not found"), \(hunt.cutPoints) crashes")
    if let failure = hunt.failure { print("  '\(Shrinker(failure, planted: fault).script)'") }
  }

  static func showCoverage(seeds: UInt64) {
    let coverage = Coverage.run(seeds: 1...max(1, seeds))
    for (title, counts) in [
      ("phases", coverage.phases), ("transitions", coverage.transitions), ("failures", coverage.failures),
      ("rows of the recovery tables", coverage.recoveries),
    ] {
      print("\(title):")
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(count)\t\(name)") }
    }
    let missing = coverage.missing
    print(missing.isEmpty ? "everything was met" : "not met: \(missing.joined(separator: ", "))")
    exit(missing.isEmpty ? 0 : 1)
  }

  static func replay(_ text: String) {
    guard let script = Script(text) else { return print("the script cannot be parsed") }
    guard let violation = script.run() else { return print("no promise is broken") }
    print(violation)
    exit(1)
  }
}
