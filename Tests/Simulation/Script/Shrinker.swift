import DropEngine

/// Makes a failing script as short as it gets while it still breaks the same promise.
package struct Shrinker {
  private let rule: Violation.Rule
  private let planted: PlantedFault?
  package private(set) var script: Script

  package init(_ failure: Explorer.Failure, planted: PlantedFault? = nil) {
    rule = failure.violation.rule
    self.planted = planted
    script = failure.script
    while shrinkOnce() {}
  }

  private func fails(_ script: Script) -> Bool { script.run(planted: planted)?.rule == rule }

  /// False when nothing more can be left out.
  private mutating func shrinkOnce() -> Bool {
    let before = script
    removeParts()
    simplify()
    return script != before
  }

  private mutating func removeParts() {
    var length = max(1, script.actions.count / 2)
    while true {
      var start = 0
      while start < script.actions.count {
        var shorter = script
        shorter.actions.removeSubrange(start..<min(start + length, script.actions.count))
        if fails(shorter) { script = shorter } else { start += length }
      }
      if length == 1 { return }
      length /= 2
    }
  }

  private mutating func simplify() {
    for index in script.actions.indices {
      for simpler in simpler(script.actions[index]) {
        var changed = script
        changed.actions[index] = simpler
        if fails(changed) {
          script = changed
          break
        }
      }
    }
    for setup in simpler(script.setup) where setup != script.setup {
      let changed = Script(setup, script.actions)
      if fails(changed) { script = changed }
    }
  }

  private func simpler(_ action: Action) -> [Action] {
    switch action {
    case .step(let index) where index > 0: [.step(0)]
    case .cut(let answers) where answers.contains { $0 > 0 }:
      [.cut([])]
        + answers.indices.filter { answers[$0] > 0 }.map { index in
          var fewer = answers
          fewer[index] = 0
          return .cut(fewer)
        } + (answers.last == 0 ? [.cut(Array(answers.dropLast()))] : [])
    case .cut(let answers) where !answers.isEmpty: [.cut([])]
    default: []
    }
  }

  private func simpler(_ setup: Setup) -> [Setup] {
    var all: [Setup] = []
    func add(_ change: (inout Setup) -> Void) {
      var changed = setup
      change(&changed)
      all.append(changed)
    }
    add { $0.boxDisk = nil }
    add { $0.operation = .move }
    add { $0.collision = .rename }
    add { $0.isDurable = true }
    add { $0.hasHandler = false }
    add { $0.changes = false }
    add { $0.usesLease = true }
    add { $0.setsMode = false }
    add { $0.hasSecondZone = false }
    add { $0.zoneDisk = .ext4 }
    return all
  }
}
