import DropEngine

/// Runs scripts, and crashes them at every step.
package struct Explorer {
  /// How many of the states that a power cut may leave are tried at each step; beyond that they are sampled.
  package var cutStates = 16
  /// How many crashes in a row are tried: a second one comes at every step of what follows the first.
  package var depth = 1
  package var coverage: Coverage?
  package var planted: PlantedFault?
  /// No crash is begun after this many.
  package var limit = Int.max
  package private(set) var cutPoints = 0
  package private(set) var failure: Failure?
  private var random: SplitMix64

  /// A script that breaks a promise.
  package struct Failure: Error, CustomStringConvertible {
    package let script: Script
    package let violation: Violation

    package var description: String { "\(violation)\n  simulate --replay '\(script)'" }
  }

  package init(seed: UInt64 = 1) {
    random = SplitMix64(seed: seed)
  }

  /// Runs a script, and from each of its steps on what a kill and what each power cut leaves.
  package mutating func explore(_ script: Script) {
    var world = World(script.setup, planted: planted, coverage: coverage)
    var done: [Action] = []
    for action in script.actions {
      for part in parts(of: action) {
        perform(part, in: &world, &done)
        if failure != nil || cutPoints >= limit { return }
      }
    }
    world.conclude()
    note(world, script.setup, done)
  }

  private enum Part {
    case once(Action)
    case steps(waits: Bool)
  }

  private func parts(of action: Action) -> [Part] {
    switch action {
    case .run: [.steps(waits: false)]
    case .settle: [.steps(waits: true)]
    default: [.once(action)]
    }
  }

  private mutating func perform(_ part: Part, in world: inout World, _ done: inout [Action]) {
    switch part {
    case .once(let action):
      world.perform(action)
      done.append(action)
      visit(world, done, depth: depth)
    case .steps(let waits): performSteps(in: &world, &done, waits: waits)
    }
  }

  private mutating func performSteps(in world: inout World, _ done: inout [Action], waits: Bool) {
    var left = 300
    while left > 0, failure == nil, cutPoints < limit {
      left -= 1
      if !world.runnable.isEmpty {
        world.perform(.step(0))
        done.append(.step(0))
      } else if waits, world.nextDeadline != nil {
        world.perform(.advance)
        done.append(.advance)
      } else {
        return
      }
      visit(world, done, depth: depth)
    }
  }

  /// Crashes a world in every way, and lets each be finished.
  private mutating func visit(_ world: World, _ done: [Action], depth: Int) {
    note(world, world.setup, done)
    guard failure == nil, depth > 0 else { return }
    crash(world, done, .kill, depth)
    var choices: Choices? = Choices()
    var count = 0
    while let next = choices, count < cutStates, failure == nil, cutPoints < limit {
      // The first ones in their order, the others from all over.
      var made = count < cutStates / 2 ? next : Choices(random: &random)
      var cut = world
      cut.cut(&made)
      follow(cut, done, .cut(made.answers), depth)
      choices = made.next
      count += 1
    }
  }

  private mutating func crash(_ world: World, _ done: [Action], _ action: Action, _ depth: Int) {
    var crashed = world
    crashed.perform(action)
    follow(crashed, done, action, depth)
  }

  private mutating func follow(_ world: World, _ done: [Action], _ action: Action, _ depth: Int) {
    cutPoints += 1
    var world = world
    if depth > 1 {
      var next = world
      var path = done + [action]
      performSteps(in: &next, &path, depth: depth - 1)
    }
    world.conclude()
    note(world, world.setup, done + [action])
  }

  private mutating func performSteps(in world: inout World, _ done: inout [Action], depth: Int) {
    var left = 60
    while left > 0, failure == nil, cutPoints < limit, !world.runnable.isEmpty {
      left -= 1
      world.perform(.step(0))
      done.append(.step(0))
      visit(world, done, depth: depth)
    }
  }

  private mutating func note(_ world: World, _ setup: Setup, _ done: [Action]) {
    guard failure == nil, let violation = world.violation else { return }
    failure = Failure(script: Script(setup, done), violation: violation)
  }
}

extension Script {
  /// Runs it and lets everything be finished; returns the promise that is broken, if one is.
  package func run(planted: PlantedFault? = nil, coverage: Coverage? = nil) -> Violation? {
    var world = World(setup, planted: planted, coverage: coverage)
    for action in actions where world.violation == nil { world.perform(action) }
    world.conclude()
    return world.violation
  }
}
