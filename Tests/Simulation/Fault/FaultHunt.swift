/// The search for one planted fault: its own script, crashed at every step.
package struct FaultHunt {
  package let failure: Explorer.Failure?
  /// How many crashes it took.
  package let cutPoints: Int

  package init(_ fault: PlantedFault) {
    var explorer = Explorer()
    explorer.planted = fault
    if let script = PlantedFault.scripts[fault.name].flatMap(Script.init) { explorer.explore(script) }
    failure = explorer.failure
    cutPoints = explorer.cutPoints
  }

  /// The same with all short scripts, and then with random ones.
  package init(wide fault: PlantedFault, limit: Int) {
    var failure: Explorer.Failure?
    var cutPoints = 0
    for script in ShortScripts.all() where failure == nil {
      var explorer = Explorer()
      explorer.planted = fault
      explorer.explore(script)
      cutPoints += explorer.cutPoints
      failure = explorer.failure
    }
    var seed: UInt64 = 1
    while failure == nil, cutPoints < limit {
      let run = RandomRun(seed: seed, planted: fault)
      cutPoints += max(1, run.cutPoints)
      failure = run.failure
      seed += 1
    }
    (self.failure, self.cutPoints) = (failure, cutPoints)
  }
}
