import DropEngine
import DropSystem
import Support
import Testing

@testable import DropFlow

/// Where a zone's path leads, and whether its originals are what was copied.
@Suite(.timeLimit(.minutes(1))) struct RootCheckTests {
  private func check(
    _ path: RawPath, resolved: String? = nil, wasLink: Bool? = nil, isMountPoint: Bool = false,
    mounts: [(place: ZoneSettings.Place, path: String)] = []
  ) -> (failure: String?, path: String?, missing: String?, wasLink: Bool) {
    let check = RootCheck(
      declared: path.description, resolved: resolved, wasLink: wasLink, isMountPoint: isMountPoint,
      requiredMounts: mounts)
    let result = check.run(FileSystemCall(path, at: .zero))
    switch result.outcome {
    case .opened(_, let path, let missing): return (nil, path, missing, result.wasLink)
    case .failed(let message, _): return (message, nil, nil, result.wasLink)
    }
  }

  @Test func `a directory is opened, and anything else says why it is not`() async throws {
    try await FlowHarness.with { harness in
      let zone = harness.path("Z")
      #expect(check(zone).path == zone.description && !check(zone).wasLink)
      #expect(check(harness.path("none")).failure == "'\(harness.path("none"))': No such file or directory")
      try harness.write("file")
      #expect(check(harness.path("file")).failure?.hasSuffix("Not a directory") == true)
    }
  }

  @Test func `a path that is a link when the zones are read leads where it leads, and nowhere else later`() async throws
  {
    try await FlowHarness.with { harness in
      for name in ["first", "second"] { try harness.path(name).makeDirectory() }
      let link = harness.path("link")
      try link.makeLink(to: "first")
      let first = check(link)
      #expect(first.path == harness.path("first").description && first.wasLink)
      #expect(check(link, resolved: first.path, wasLink: true).failure == nil)
      try link.removeFile()
      try link.makeLink(to: "second")
      let moved = check(link, resolved: first.path, wasLink: true).failure
      #expect(
        moved?.hasPrefix("'\(link)' leads to '\(harness.path("second"))' now and led to '\(harness.path("first"))'")
          == true)
    }
  }

  @Test func `a link that takes the place of a directory is not followed`() async throws {
    try await FlowHarness.with { harness in
      let zone = harness.path("Z")
      let before = check(zone)
      try zone.rename(to: harness.path("away"))
      try zone.makeLink(to: "B")
      #expect(check(zone, resolved: before.path, wasLink: false).failure?.contains(" and led to ") == true)
      // It was missing when the zones were read, and no link.
      #expect(check(zone, wasLink: false).failure?.contains(" and was no link when the zones were read") == true)
      // A reload vouches for it.
      #expect(check(zone).path == harness.path("B").description)
    }
  }

  @Test func `places that must be mount points are, or the zone says which is not`() async throws {
    try await FlowHarness.with { harness in
      let (zone, box) = (harness.path("Z"), harness.path("B"))
      #expect(check(zone, isMountPoint: true).failure == "'\(zone)' was a mount point and is none now")
      #expect(
        check(zone, mounts: [(.zone, zone.description)]).failure
          == "'\(zone)' is no mount point, and RequireMount= wants one")
      let missing = check(zone, mounts: [(.box, box.description)])
      #expect(
        missing.failure == nil && missing.missing == "the box '\(box)' is no mount point, and RequireMount= wants one")
      #expect(check(zone, mounts: [(.rejects, "/dev/shm")]).missing == nil)
      #expect(check("/dev/shm", isMountPoint: true, mounts: [(.zone, "/dev/shm")]).failure == nil)
    }
  }

  // MARK: - Originals

  private static let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"

  private func compare(
    _ harness: FlowHarness, _ change: (inout CopiedOriginal) -> Void = { _ in }
  ) throws -> OriginalComparison.Result {
    let status = try harness.status("Z/a.txt")
    var original = CopiedOriginal(
      zone: "z", location: "a.txt", inode: status.identity.inode, birth: status.identity.birth, size: status.size,
      modified: status.modified, changed: status.changed - 1, sha256: nil, id: newDropID())
    change(&original)
    return OriginalComparison(
      root: harness.path("Z").description, original: original, ledger: harness.ledger
    ).run()
  }

  private func outline(_ result: OriginalComparison.Result) -> String {
    switch result {
    case .same(_, let digest): "same" + (digest == nil ? " by size" : "")
    case .different: "different"
    case .unknown: "unknown"
    }
  }

  @Test func `an original whose change time differs is compared by its bytes`() async throws {
    try await FlowHarness.with { harness in
      try harness.write("Z/a.txt", "hello")
      #expect(outline(try compare(harness) { $0.sha256 = Self.hello }) == "same")
      #expect(outline(try compare(harness) { $0.sha256 = String(repeating: "0", count: 64) }) == "different")
      // Its copy is gone and was never digested.
      #expect(outline(try compare(harness)) == "same by size")
      #expect(outline(try compare(harness) { $0.size += 1 }) == "unknown")
      #expect(outline(try compare(harness) { $0.location = "none.txt" }) == "unknown")
    }
  }

  @Test(arguments: [("hello", "same"), ("other", "different")])
  func `without a digest the copy is read, in the box or in the hold`(copy: String, expected: String) async throws {
    try await FlowHarness.with { harness in
      try harness.write("Z/a.txt", "hello")
      var row = try harness.row("a.txt", copy) { $0.operation = .copy }
      try await harness.ledger.commit([.put(row)])
      #expect(outline(try compare(harness) { $0.id = row.id }) == expected)
      try harness.path("B.hold/\(row.entry)").rename(to: harness.path("B/a.txt"))
      row.verdict = .accepted(message: nil)
      (row.destinationRoot, row.destinationName) = (row.boxPath, "a.txt")
      try await harness.ledger.commit([
        .addReceipt(ReceiptRecord(verdictOf: row, place: row.place, finished: 1)), .remove(row.id),
      ])
      #expect(outline(try compare(harness) { $0.id = row.id }) == expected)
    }
  }
}
