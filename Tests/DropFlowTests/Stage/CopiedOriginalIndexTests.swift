import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

/// Files that were copied, or put back by undo, and are still in their zone.
@Suite(.timeLimit(.minutes(5))) struct CopiedOriginalIndexTests {
  private static func note(_ zone: RawPath, _ name: String, _ change: (inout CopiedOriginal) -> Void = { _ in }) throws
    -> CopiedOriginal
  {
    let status = try Directory(zone).status(of: RawPath(name))
    var note = CopiedOriginal(
      zone: "z", location: RawPath(name), inode: status.identity.inode, birth: status.identity.birth,
      size: status.size, modified: status.modified, changed: status.changed,
      sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", id: newDropID())
    change(&note)
    return note
  }

  @Test func `what an earlier process noted is left alone, and notes of files that are gone go`() async throws {
    try await AreaRig.with(
      .init(
        isPaused: false, settings: { $0.staging.quiet = .milliseconds(1) },
        originals: { zone in
          for name in ["same.txt", "rights.txt", "bytes.txt", "gone.txt"] {
            try zone.appending(RawPath(name)).write("hello")
          }
          let notes = try [
            Self.note(zone, "same.txt"), Self.note(zone, "rights.txt") { $0.changed -= 1 },
            Self.note(zone, "bytes.txt") {
              $0.changed -= 1
              $0.sha256 = String(repeating: "0", count: 64)
            }, Self.note(zone, "gone.txt"),
          ]
          try zone.appending("gone.txt").removeFile()
          return notes
        })
    ) { rig in
      let status = try await rig.status { $0.accepted == 1 && $0.inHand == 0 }
      #expect(status?.last?.location == "bytes.txt")
      #expect(try await rig.area.wait(for: ["z"], timeout: .seconds(10)))
      try await eventually { try rig.ledger.originals(in: "z").count == 2 }
      let noted = try rig.ledger.originals(in: "z")
      #expect(Set(noted.map(\.location)) == ["same.txt", "rights.txt"])
      // It is known now that the change was of its rights.
      for note in noted { #expect(note.holds(for: try Directory(rig.path("Z")).status(of: note.location)) == true) }
    }
  }

  @Test func `a file that a flow notes is no longer staged, and is staged again when the note goes`() async throws {
    try await AreaRig.with { rig in
      try rig.path("Z/a.txt").write("hello")
      let id = try await rig.staged(1)["a.txt"]
      let note = try Self.note(rig.path("Z"), "a.txt")
      let observer = rig.area.observer(of: "z")
      await observer.noted([note])
      _ = try await rig.staged(0)
      // Another drop's note is not this one.
      await observer.notComing(newDropID(), at: "a.txt")
      #expect(try await rig.area.explain(rig.path("Z/a.txt")).state == .taken)
      await observer.notComing(note.id, at: "a.txt")
      #expect(try await rig.staged(1)["a.txt"] != id)
    }
  }

  @Test func `a copy that comes late does not hide a later drop of its name`() async throws {
    try await AreaRig.with { rig in
      try rig.path("Z/a.txt").write("hello")
      _ = try await rig.staged(1)
      let early = try Self.note(rig.path("Z"), "a.txt") { $0.id = DropID(milliseconds: 1, high: 0, low: 0) }
      let late = try Self.note(rig.path("Z"), "a.txt") {
        $0.id = DropID(milliseconds: 2, high: 0, low: 0)
        $0.size = 1
      }
      let observer = rig.area.observer(of: "z")
      await observer.copied([late])
      await observer.copied([early])
      #expect(try await rig.staged(1).count == 1)
    }
  }
}
