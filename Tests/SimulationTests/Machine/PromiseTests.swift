import Simulation
import Testing

/// The delivery machine keeps its promises on the simulated computer. `simulate` runs the same for longer.
@Suite struct PromiseTests {
  @Test(arguments: ShortScripts.all())
  func `a short script keeps every promise, whatever step it is crashed after`(script: Script) {
    var explorer = Explorer()
    explorer.cutStates = 4
    explorer.explore(script)
    #expect(explorer.cutPoints > 0)
    #expect(explorer.failure == nil)
  }
}
