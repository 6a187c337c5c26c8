/// A long script that a seed draws, with crashes along its way.
package struct RandomRun {
  package private(set) var cutPoints = 0
  package private(set) var failure: Explorer.Failure?
  private let planted: PlantedFault?
  private let coverage: Coverage?

  package init(seed: UInt64, actions: Int = 80, planted: PlantedFault? = nil, coverage: Coverage? = nil) {
    self.planted = planted
    self.coverage = coverage
    var script = RandomScript(seed: seed)
    let setup = script.setup()
    var world = World(setup, planted: planted, coverage: coverage)
    var done: [Action] = []
    for _ in 0..<actions {
      let action = script.action(setup)
      world.perform(action)
      done.append(action)
      note(world, done)
      if failure != nil { return }
      if script.crashes() { crash(world, done, script.choices()) }
      if script.cutsForGood() {
        var choices = script.choices()
        world.cut(&choices)
        cutPoints += 1
        done.append(.cut(choices.answers))
        note(world, done)
      }
      if failure != nil { return }
    }
    world.conclude()
    note(world, done)
  }

  private mutating func crash(_ world: World, _ done: [Action], _ choices: Choices) {
    var killed = world
    killed.kill()
    killed.conclude()
    note(killed, done + [.kill])
    guard failure == nil else { return }
    var (cut, choices) = (world, choices)
    cut.cut(&choices)
    cut.conclude()
    cutPoints += 2
    note(cut, done + [.cut(choices.answers)])
  }

  private mutating func note(_ world: World, _ done: [Action]) {
    guard failure == nil, let violation = world.violation else { return }
    failure = Explorer.Failure(script: Script(world.setup, done), violation: violation)
  }
}
