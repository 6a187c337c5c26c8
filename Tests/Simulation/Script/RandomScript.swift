import DropEngine

/// Draws configurations and actions from a seed.
package struct RandomScript {
  private var random: SplitMix64

  package init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  package mutating func setup() -> Setup {
    var setup = Setup()
    setup.zoneDisk = random.element(of: FileSystemKind.allCases)
    setup.boxDisk = random.once(in: 2) ? nil : random.element(of: FileSystemKind.allCases)
    setup.operation = random.once(in: 3) ? .copy : .move
    setup.collision = random.once(in: 2) ? .rename : random.element(of: DeliveryRules.Collision.allCases)
    setup.isDurable = !random.once(in: 8)
    setup.hasHandler = random.once(in: 2)
    setup.changes = random.once(in: 3)
    setup.usesLease = !random.once(in: 4)
    setup.setsMode = random.once(in: 4)
    setup.hasSecondZone = random.once(in: 4)
    return setup
  }

  private static let names = ["a.txt", "a.txt", "b.txt", "sub/a.txt", "c.exe", "d"]

  private mutating func name(_ setup: Setup) -> String {
    let name = random.element(of: Self.names)
    return setup.hasSecondZone && random.once(in: 3) ? "2/" + name : name
  }

  private mutating func length() -> UInt32 { UInt32(2 * (1 + random.below(4))) }

  package mutating func action(_ setup: Setup) -> Action {
    switch random.below(100) {
    case 0..<60: .step(random.below(4))
    case 60..<70: .advance
    case 70..<76: .put(name(setup), length())
    case 76..<83: people(setup)
    case 83..<87: .answer(random.element(of: HandlerBehaviour.allCases))
    case 87..<91: [Action.retry, .release, .undo, .undo, .retry][random.below(5)]
    case 91..<94: fault()
    case 94: .away(random.element(of: Place.allCases))
    case 95: .hang(random.element(of: Place.allCases))
    case 96: .heal
    case 97: [.pause, .resume, .resume][random.below(3)]
    case 98: random.once(in: 2) ? .kill : .writeHeld
    default: [.stop, .run, .kill][random.below(3)]
    }
  }

  private mutating func people(_ setup: Setup) -> Action {
    switch random.below(14) {
    case 0: .create(name(setup), length())
    case 1, 2: .append(name(setup), length())
    case 3: .close(name(setup))
    case 4, 5: .replace(name(setup), length())
    case 6: .rename(name(setup), name(setup))
    case 7: .delete(name(setup))
    case 8: .link(name(setup), name(setup))
    case 9: .openLate(name(setup))
    case 10: random.once(in: 2) || !setup.usesLease ? .closeLate : .writeLate
    case 11: .foreign(random.element(of: ["a.txt", "b.txt", "d"]))
    case 12: random.once(in: 4) ? .readerTakesAll : .take
    default: .twin(random.element(of: ["a.txt", "b.txt", "d"]))
    }
  }

  private mutating func fault() -> Action {
    // A file that is there is never reported as missing.
    let error = random.element(of: CallError.known.filter { $0.error != .noEntry }).error
    let count = random.once(in: 4) ? nil : 1 + random.below(3)
    let step = random.element(of: StepKind.allCases)
    // Of a directory it means that it was moved away, with everything in it.
    return step == .syncDirectory && error == .crossDevice ? .heal : .fault(step, error, count)
  }

  /// Whether a crash is tried after this action.
  package mutating func crashes() -> Bool { random.once(in: 3) }

  package mutating func choices() -> Choices { Choices(random: &random) }
  package mutating func cutsForGood() -> Bool { random.once(in: 60) }
}
