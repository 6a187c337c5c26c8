import DropEngine
import Support
import Testing

/// What operators ask for at the wrong moment: while something else is under way, twice, or of the wrong thing.
@Suite struct VerbTests {
  @Test(arguments: ["follow", "List", "Wait"])
  func `the daemon ends soon whoever asks it for something`(call: String) async throws {
    try await Rig.run("F88-stopped-while-asked", environment: ["ASK": call]) { outcome in
      outcome.expectInvariants(payloads: 6)
    }
  }

  @Test(arguments: ["signal", "client"])
  func `the daemon ends soon while it is reloaded`(way: String) async throws {
    try await Rig.run("F89-stopped-in-a-reload", environment: ["HOW": way]) { outcome in
      outcome.expectInvariants(payloads: 1)
    }
  }
}
