import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct HoldDirectoriesTests {
  private typealias Use = HoldDirectories.Use
  private static let claims = Use.claims(RawPath(bytes: []))

  @Test func `the hold is beside the box, and nobody else may enter it`() async throws {
    try await FlowHarness.with { harness in
      let hold = try harness.hold()
      #expect(hold.path == harness.context.settings.box + ".hold")
      let status = try harness.status("B.hold")
      #expect(status.mode & 0o777 == 0o700 && status.identity == hold.identity)
      // Trials leave nothing behind.
      #expect(harness.names("B.hold").isEmpty && harness.names("Z").isEmpty)
    }
  }

  @Test(arguments: [
    (["B.hold"], "Z.hold"), (["B.hold", "Z.hold"], "Z/.dropzone-hold"),
  ])
  func `the first place that a file of the zone can be renamed into is the hold`(
    taken: [String], expected: String
  ) async throws {
    try await FlowHarness.with { harness in
      // A file has the name.
      for name in taken { try harness.write(name) }
      #expect(try harness.hold().path == harness.path(expected).description)
    }
  }

  @Test func `a box on another file system has its hold beside the zone, and snapshots beside itself`() async throws {
    try await FlowHarness.with(isFar: true) { harness in
      let hold = try harness.hold()
      #expect(hold.path == harness.path("Z.hold").description)
      #expect(!harness.box.parent.appending("B.hold").exists)
      let box = try Directory(harness.box)
      #expect(!harness.context.holds.isNear(hold, to: box))
      let snapshots = try harness.context.holds.hold(for: box, .snapshots)
      #expect(snapshots.path == harness.box.description + ".hold")
      #expect(harness.context.holds.isNear(snapshots, to: box))
    }
  }

  @Test func `without a place, each that was tried says why`() async throws {
    try await FlowHarness.with { harness in
      for name in ["B.hold", "Z.hold", "Z/.dropzone-hold"] { try harness.write(name) }
      let error = #expect(throws: HoldError.self) { try harness.hold() }
      #expect(error?.isTrespass == false)
      #expect(error?.message.split(separator: ";").count == 3)
    }
  }

  private func expectTrespass(_ change: (RawPath) throws -> Void) async throws {
    try await FlowHarness.with { harness in
      try harness.path("B.hold").makeDirectory()
      try change(harness.path("B.hold"))
      let error = #expect(throws: HoldError.self) { try harness.hold() }
      #expect(error?.isTrespass == true && !harness.path("Z.hold").exists)
    }
  }

  @Test func `a hold that others may write to is refused, and no other place is taken instead`() async throws {
    try await expectTrespass { try $0.setMode(0o770) }
  }

  @Test(.enabled(if: Machine.isRoot))
  func `a hold that belongs to another is refused, and no other place is taken instead`() async throws {
    try await expectTrespass { try $0.setOwner(12345) }
  }

  @Test func `a link is no hold`() async throws {
    try await FlowHarness.with { harness in
      try harness.path("elsewhere").makeDirectory()
      try harness.path("B.hold").makeLink(to: "elsewhere")
      #expect(try harness.hold().path == harness.path("Z.hold").description)
    }
  }

  @Test func `a hold that was found is opened again, and one that is another directory now is proved again`()
    async throws
  {
    try await FlowHarness.with { harness in
      let first = try harness.hold()
      #expect(try harness.hold().identity == first.identity)
      try harness.path("B.hold").rename(to: harness.path("old"))
      let second = try harness.hold()
      #expect(second.path == first.path && second.identity != first.identity)
    }
  }

  @Test func `what was proved of a box is proved again once the mounts have changed`() async throws {
    try await FlowHarness.with { harness in
      let hold = try harness.hold()
      #expect(try harness.context.holds.isNear(hold, to: Directory(harness.box)))
      try await Scratch.with(in: "/dev/shm") { other in
        // Another directory is asked about itself, whatever is known of the first.
        let isNear = harness.context.holds.isNear(hold, to: try Directory(other.path))
        #expect(!isNear)
      }
      harness.context.holds.forget()
      #expect(try harness.context.holds.isNear(hold, to: Directory(harness.box)))
    }
  }

  @Test func `each use has its candidates`() async throws {
    var settings = ZoneSettings(name: "z", path: "/z", box: "/b", rejects: "/r")
    func candidates(_ use: Use) -> [String] { HoldDirectories(settings: settings).candidates(use) }
    #expect(candidates(Self.claims) == ["/b.hold", "/z.hold", "/z/.dropzone-hold"])
    #expect(candidates(.claims("disk")) == ["/z/disk/.dropzone-hold"])
    #expect(candidates(.claims(RawPath(bytes: [0xFF]))).isEmpty)
    #expect(candidates(.snapshots) == ["/b.hold", "/b/.dropzone-hold"])
    #expect(candidates(.rejects) == ["/r.hold", "/r/.dropzone-hold"])
    settings.hold = "/h"
    #expect(candidates(Self.claims) == ["/h"])
    let everywhere = HoldDirectories(settings: settings).everywhere()
    #expect(Set(candidates(Self.claims) + candidates(.snapshots) + candidates(.rejects)).isSubset(of: everywhere))
    #expect(Set(everywhere).count == everywhere.count)
  }
}
