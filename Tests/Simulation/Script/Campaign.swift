/// Short scripts exhaustively, and then long ones at random, until enough crashes were tried.
package struct Campaign {
  package var points = 1_000_000
  package var seed: UInt64 = 1
  package var depth = 1
  package var failuresLimit = 1
  package var runsOneSeed = false
  package private(set) var cutPoints = 0
  package private(set) var failures: [Explorer.Failure] = []
  private var coverage: Coverage?

  package init() {}

  /// Returns whether every promise was kept.
  package mutating func run() -> Bool {
    let clock = ContinuousClock()
    let start = clock.now
    if !runsOneSeed { runShortScripts() }
    let short = cutPoints
    var runs = 0
    while cutPoints < points, failures.count < failuresLimit {
      let run = RandomRun(seed: seed, coverage: coverage)
      runs += 1
      cutPoints += run.cutPoints
      if let failure = run.failure { report(failure, "seed \(seed)") }
      if runsOneSeed { break }
      seed += 1
    }
    print("\(cutPoints) crashes: \(short) in short scripts, the others in \(runs) long ones; \(clock.now - start)")
    return failures.isEmpty
  }

  private mutating func runShortScripts() {
    for script in ShortScripts.all() where failures.count < failuresLimit && cutPoints < points {
      var explorer = Explorer(seed: seed)
      explorer.depth = depth
      explorer.limit = points - cutPoints
      explorer.explore(script)
      cutPoints += explorer.cutPoints
      if let failure = explorer.failure { report(failure, "a short script") }
    }
  }

  private mutating func report(_ failure: Explorer.Failure, _ origin: String) {
    failures.append(failure)
    print("\(failure.violation)  (\(origin))")
    let shortest = Shrinker(failure).script
    print("  simulate --replay '\(shortest)'")
  }
}
