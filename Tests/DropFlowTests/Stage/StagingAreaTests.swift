import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite struct StagingAreaTests {
  @Test func `what leaves with its directory is withdrawn from where it was`() async throws {
    try await AreaRig.with { rig in
      try rig.path("Z/top").makeDirectory()
      try rig.path("Z/top/low").makeDirectory()
      try rig.path("Z/top/low/one.txt").write("1")
      // It has the other's name, and says nothing about it.
      try rig.path("Z/one.txt").write("2")
      #expect(try await Set(rig.staged(2).keys) == ["one.txt", "top/low/one.txt"])
      try rig.rename("Z/top", to: "elsewhere")
      let last = try await rig.status { $0.last != nil }?.last
      #expect(last?.outcome == .withdrawn && last?.location == "top/low/one.txt")
      #expect(try await Set(rig.staged(1).keys) == ["one.txt"])
    }
  }

  @Test func `nothing is withdrawn from a zone that is away, and what comes back is what it was`() async throws {
    try await AreaRig.with { rig in
      try rig.path("Z/one.txt").write("1")
      let before = try await rig.staged(1)
      try rig.rename("Z", to: "away")
      let away = try await rig.status { $0.state == .unavailable }
      #expect(away?.staged.isEmpty == true)
      try rig.rename("away", to: "Z")
      #expect(try await rig.staged(1) == before)
      #expect(try rig.last == nil)
    }
  }

  @Test func `what is staged is the same after a reload`() async throws {
    try await AreaRig.with { rig in
      try rig.path("Z/one.txt").write("1")
      let before = try await rig.staged(1)
      try await rig.replace()
      #expect(try await rig.staged(1) == before)
      #expect(try rig.last == nil)
    }
  }

  @Test func `who follows one zone is told of no other once it is gone`() async throws {
    try await AreaRig.with { rig in
      try await rig.addOther()
      let changes = try await rig.area.changes(of: ["z"])
      await rig.area.remove("z")
      var names: [String] = []
      for await status in changes { names.append(status.name) }
      #expect(names == ["z"])
    }
  }
}
