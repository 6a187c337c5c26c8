/// The search for one planted fault: short scripts first, then random ones.
package struct FaultHunt {
  package private(set) var failure: Explorer.Failure?
  /// The short script that found it; nil if a random one did.
  package private(set) var script: Script?
  /// How many crashes it took.
  package private(set) var cutPoints = 0

  package init(_ fault: PlantedFault, limit: Int = 200_000) {
    for script in ShortScripts.all() where failure == nil {
      var explorer = Explorer()
      explorer.planted = fault
      explorer.explore(script)
      cutPoints += explorer.cutPoints
      failure = explorer.failure
      if failure != nil { self.script = script }
    }
    var seed: UInt64 = 1
    while failure == nil, cutPoints < limit {
      let run = RandomRun(seed: seed, planted: fault)
      cutPoints += max(1, run.cutPoints)
      failure = run.failure
      seed += 1
    }
  }
}
