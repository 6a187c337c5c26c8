import Testing

@testable import DropEngine

@Suite struct KnownFilesTests {
  private static func payload(_ inode: UInt64, _ waiting: Waiting = .quiet) -> StagedPayload {
    var payload = StagedPayload(
      id: DropID(milliseconds: inode, high: 0, low: 0),
      status: FileStatus(kind: .regular, identity: identity(inode), size: 1), name: .ordinary, evidence: .lease,
      firstSeen: Int64(inode), cameComplete: false, at: .zero)
    payload.waiting = waiting
    return payload
  }

  private static func identity(_ inode: UInt64, birth: Int64 = 7) -> FileIdentity {
    FileIdentity(device: 1, inode: inode, birth: birth)
  }

  @Test func `a file that appears under another name is the same payload`() {
    var departed = DepartedPayloads()
    departed.add(Self.payload(1), from: "a", at: .zero)
    departed.add(Self.payload(2, .blocked), from: "b", at: .zero)
    #expect(departed.arriving == 1)
    #expect(departed.take(Self.identity(1))?.firstSeen == 1)
    #expect(departed.take(Self.identity(1)) == nil)
    #expect(departed.arriving == 0 && !departed.isEmpty)
    #expect(departed.takeDue(at: .milliseconds(99)).isEmpty)
    #expect(departed.takeDue(at: .milliseconds(100)).map(\.location) == ["b"])
    #expect(departed.isEmpty && departed.deadline == nil)
  }

  @Test func `a file that is renamed faster than it can be inspected is expected for longer`() {
    var departed = DepartedPayloads()
    departed.add(Self.payload(1), from: "a", at: .zero)
    departed.missRename(at: .milliseconds(90))
    #expect(departed.deadline == .milliseconds(190))
    #expect(departed.takeDue(at: .milliseconds(150)).isEmpty)
    for moment in stride(from: 100, through: 10_000, by: 50) { departed.missRename(at: .milliseconds(moment)) }
    #expect(departed.takeDue(at: .milliseconds(10_050)).isEmpty)
    #expect(departed.takeDue(at: .milliseconds(10_100)).count == 1)
  }

  @Test func `a file that was expected stays the same payload`() {
    var files = KnownFiles()
    let id = DropID(milliseconds: 9, high: 0, low: 0)
    files.expect(Self.identity(1), StagedPayload.Origin(id: id, firstSeen: 3, attempts: 2), at: .zero)
    #expect(files.takeOrigin(of: Self.identity(2), firstSeen: 0) == nil)
    #expect(files.takeOrigin(of: Self.identity(1), firstSeen: 0)?.attempts == 2)
    #expect(files.takeOrigin(of: Self.identity(1), firstSeen: 0) == nil)
  }

  @Test func `a file keeps its number in the session, under another name and after a restart`() {
    var files = KnownFiles(earlier: [
      AttemptCount(
        zone: "z", inode: 1, birth: 7, location: "a", id: DropID(milliseconds: 1, high: 0, low: 0), attempts: 1,
        starts: 0, ordinal: 4)
    ])
    var renamed = Self.payload(2)
    renamed.ordinal = 5
    files.departed.add(renamed, from: "b", at: .zero)
    #expect(files.takeOrigin(of: Self.identity(1), firstSeen: 0)?.ordinal == 4)
    #expect(files.takeOrigin(of: Self.identity(2), firstSeen: 0)?.ordinal == 5)
  }

  @Test func `a file that does not reappear in time is no longer expected`() {
    var files = KnownFiles()
    let origin = StagedPayload.Origin(id: DropID(milliseconds: 9, high: 0, low: 0), firstSeen: 3)
    files.expect(Self.identity(1), origin, at: .zero)
    files.expect(Self.identity(2), origin, at: .seconds(5))
    files.forgetExpected(for: .seconds(10), at: .seconds(10))
    #expect(files.expectedCount == 1)
  }

  @Test func `attempts from before a restart count for the same file, not for another with its inode number`() {
    func note(_ inode: UInt64, birth: Int64) -> AttemptCount {
      AttemptCount(
        zone: "z", inode: inode, birth: birth, location: "a", id: DropID(milliseconds: inode, high: 0, low: 0),
        attempts: 4, starts: 1)
    }
    var files = KnownFiles(earlier: [note(1, birth: 7), note(2, birth: 8), note(3, birth: 0), note(4, birth: 7)])
    #expect(files.takeOrigin(of: Self.identity(1), firstSeen: 5)?.attempts == 4)
    #expect(files.takeOrigin(of: Self.identity(2), firstSeen: 5) == nil)
    #expect(files.takeOrigin(of: Self.identity(3), firstSeen: 5)?.firstSeen == 5)
    #expect(files.takeEarlier().map(\.inode) == [4])
    #expect(files.takeEarlier().isEmpty)
  }
}

@Suite struct PendingRenamesTests {
  private final class Zone {}

  @Test func `a directory that arrives in time is recognised by the cookie, and by its inode number`() {
    var renames = PendingRenames()
    renames.addDirectory(3, at: "a/b", cookie: 11, at: .zero)
    renames.addDirectory(4, at: "c", cookie: 12, at: .milliseconds(50))
    #expect(renames.deadline == .milliseconds(100))
    #expect(renames.takeDirectory(cookie: 99) == nil)
    #expect(renames.takeDirectory(cookie: 11)?.location == "a/b")
    #expect(renames.takeDirectory(3) == nil)
    #expect(renames.takeDirectory(4)?.location == "c")
    #expect(!renames.hasDirectories && renames.deadline == nil)
  }

  @Test func `a directory that does not arrive in time is gone`() {
    var renames = PendingRenames()
    renames.addDirectory(3, at: "a", cookie: 11, at: .zero)
    renames.addDirectory(4, at: "b", cookie: 12, at: .milliseconds(50))
    #expect(renames.takeOverdueDirectories(at: .milliseconds(99)).isEmpty)
    #expect(renames.takeOverdueDirectories(at: .milliseconds(100)).map(\.id) == [3])
    #expect(renames.hasDirectories)
  }

  @Test func `a rename from an untrusted name counts only in its zone and for a short time`() {
    var renames = PendingRenames()
    let (zone, other) = (Zone(), Zone())
    for cookie in 1...3 as ClosedRange<UInt32> {
      renames.addUntrusted(cookie: cookie, zone: ObjectIdentifier(zone), at: .zero)
    }
    #expect(renames.takeUntrusted(cookie: 1, zone: ObjectIdentifier(zone)) == true)
    #expect(renames.takeUntrusted(cookie: 1, zone: ObjectIdentifier(zone)) == false)
    #expect(renames.takeUntrusted(cookie: 2, zone: ObjectIdentifier(other)) == false)
    renames.forgetUntrusted(at: .milliseconds(99))
    #expect(renames.untrustedCount == 1)
    renames.forgetUntrusted(at: .milliseconds(100))
    #expect(renames.untrustedCount == 0)
  }
}

@Suite struct CopiedOriginalsTests {
  private func original(_ location: RawPath, _ number: UInt64 = 1) -> CopiedOriginal {
    CopiedOriginal(
      zone: "z", location: location, inode: 1, birth: 1, size: 1, modified: 1, changed: 1, sha256: nil,
      id: DropID(milliseconds: number, high: 0, low: 0))
  }

  @Test func `originals are found by their location, and by their directory`() {
    var originals = CopiedOriginals([original("a"), original("d/b"), original("d/c"), original("d/c", 2)])
    #expect(originals["d/c"]?.id == original("d/c").id)
    #expect(Set(originals.names(in: "d")) == ["b", "c"] && originals.names(in: "") == ["a"])
    #expect(originals.all.count { _ in true } == 3)
    for location in ["a", "d/b", "d/c"] as [RawPath] { originals[location] = nil }
    #expect(originals.isEmpty && originals.names(in: "d").isEmpty)
  }

  @Test func `originals are compared one at a time, each once`() {
    var originals = CopiedOriginals()
    for location in ["a", "b", "a"] as [RawPath] { originals.compareLater(location) }
    #expect(originals.nextComparison() == "a")
    #expect(originals.nextComparison() == nil)
    // It is being compared.
    originals.compareLater("a")
    originals.endComparison(of: "a")
    #expect(originals.nextComparison() == "b" && originals.isComparing)
    originals.endComparison(of: "b")
    #expect(originals.nextComparison() == nil && !originals.isComparing)
  }
}
