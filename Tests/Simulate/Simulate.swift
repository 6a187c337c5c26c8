import Glibc
import Simulation

/// Runs the delivery machine on a simulated computer, and crashes it at every step.
@main struct Simulate {
  static let help = """
    usage: simulate [--points N] [--seed N] [--depth N]
           simulate --replay 'SCRIPT' | --trace 'SCRIPT' | --seed N --one | --faults
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
      case "--one": campaign.runsOneSeed = true
      default: return print(help)
      }
    }
    exit(campaign.run() ? 0 : 1)
  }

  /// Shows what each planted fault breaks.
  static func findFaults() {
    for fault in PlantedFault.all {
      let hunt = FaultHunt(fault)
      print("\(fault.name): \(hunt.failure.map { "\($0.violation)" } ?? "NOT FOUND") after \(hunt.cutPoints) crashes")
      if let script = hunt.script {
        print("SCRIPT\t\(fault.name)\t\(script)")
      } else if let failure = hunt.failure {
        print("SHRUNK\t\(fault.name)\t\(Shrinker(failure, planted: fault).script)")
      }
    }
  }

  static func replay(_ text: String) {
    guard let script = Script(text) else { return print("the script cannot be parsed") }
    guard let violation = script.run() else { return print("no promise is broken") }
    print(violation)
    exit(1)
  }
}
