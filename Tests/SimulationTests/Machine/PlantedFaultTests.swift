import Simulation
import Testing

/// The checks find what is wrong: each fault that is planted between the delivery machine and its steps.
@Suite struct PlantedFaultTests {
  @Test(arguments: PlantedFault.all)
  func `a planted fault is found, and its shortest script shows it`(fault: PlantedFault) throws {
    let failure = try #require(FaultHunt(fault).failure)
    let script = Shrinker(failure, planted: fault).script
    #expect(script.run(planted: fault)?.rule == failure.violation.rule)
    #expect(script.run() == nil)
    #expect(Script(script.description) == script)
  }

  @Test func `there are enough of them, and each has a name of its own`() {
    #expect(PlantedFault.all.count >= 25)
    #expect(Set(PlantedFault.all.map(\.name)).count == PlantedFault.all.count)
  }
}

extension PlantedFault: CustomTestStringConvertible {
  /// Its name.
  public var testDescription: String { name }
}

extension Script: CustomTestStringConvertible {
  /// Its text, which replays it.
  public var testDescription: String { description }
}
