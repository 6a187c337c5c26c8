import Simulation
import Testing

/// The scripts meet every phase, failure and row of the recovery tables; `simulate --coverage` counts them.
@Suite struct CoverageTests {
  @Test func `every phase, kind of failure and row of the recovery tables is met`() {
    #expect(Coverage.run(seeds: 1...300, cutStates: 1).missing == [])
  }
}
