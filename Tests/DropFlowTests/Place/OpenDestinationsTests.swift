import DropSystem
import Support
import Testing

@testable import DropEngine
@testable import DropFlow

@Suite(.timeLimit(.minutes(1))) struct OpenDestinationsTests {
  private func folder(
    _ location: RawPath, _ harness: FlowHarness, _ destinations: inout OpenDestinations
  ) throws -> OpenDestinations.Folder {
    let root = try destinations.root(harness.context.settings.box, wasMountPoint: false)
    return try destinations.folder(location, in: root)
  }

  @Test func `missing directories are made with the box's mode, and opened once`() async throws {
    try await FlowHarness.with { harness in
      try harness.path("B").setMode(0o2775)
      var destinations = OpenDestinations(isDurable: true)
      let first = try folder("sub/low", harness, &destinations)
      #expect(first.location == "sub/low" && first.warnings.isEmpty)
      #expect(try harness.status("B/sub").mode & 0o7777 == 0o2775)
      #expect(try harness.status("B/sub/low").mode & 0o7777 == 0o2775)
      #expect(try folder("sub/low", harness, &destinations) === first)
      #expect(try folder("", harness, &destinations).location.isEmpty)
    }
  }

  @Test func `a directory that is there keeps its mode, and one that was left unfinished is finished`() async throws {
    try await FlowHarness.with { harness in
      for (name, mode) in [("kept", UInt32(0o750)), ("unfinished", 0o700), ("used", 0o700)] {
        try harness.path("B/" + name).makeDirectory()
        if name == "used" { try harness.write("B/used/a.txt") }
        try harness.path("B/" + name).setMode(mode)
      }
      var destinations = OpenDestinations(isDurable: false)
      for name in ["kept", "unfinished", "used"] { _ = try folder(RawPath(name), harness, &destinations) }
      #expect(try harness.status("B/kept").mode & 0o777 == 0o750)
      #expect(try harness.status("B/unfinished").mode & 0o777 == harness.status("B").mode & 0o777)
      #expect(try harness.status("B/used").mode & 0o777 == 0o700)
    }
  }

  @Test func `a file or link that has a directory's name is passed over`() async throws {
    try await FlowHarness.with { harness in
      try harness.write("B/sub")
      try harness.path("outside").makeDirectory()
      try harness.path("B/sub.1").makeLink(to: "../outside")
      var destinations = OpenDestinations(isDurable: true)
      #expect(try folder("sub/low", harness, &destinations).location == "sub.2/low")
      #expect(harness.names("outside").isEmpty && harness.names("B/sub.2") == ["low"])
    }
  }

  @Test func `a box that is missing, or was a mount point, is not opened`() async throws {
    try await FlowHarness.with { harness in
      var destinations = OpenDestinations(isDurable: true)
      let missing = harness.path("none").description
      #expect(throws: PlaceError.self) { try destinations.root(missing, wasMountPoint: false) }
      let box = harness.context.settings.box
      let error = #expect(throws: PlaceError.self) { try destinations.root(box, wasMountPoint: true) }
      #expect(error?.message == "'\(box)' was a mount point and is none now")
      // What lies on a mount is one.
      #expect(throws: Never.self) { try destinations.root("/dev/shm", wasMountPoint: true) }
    }
  }

  // MARK: - Identical files

  @Test func `the file that has the payload's bytes is found among those of its names`() async throws {
    try await FlowHarness.with({ $0.delivery.collision = .keepIdentical }) { harness in
      try harness.write("B/sub/a.txt", "other")
      try harness.write("B/sub/a.1.txt", "of another size")
      try harness.write("B/sub/a.2.txt", "hello")
      let compared = try await compare("sub/a.txt", harness)
      #expect(compared.identical == "sub/a.2.txt" && compared.others.count == 1)
      #expect(compared.sha256.hasPrefix("2cf24dba"))
    }
  }

  @Test func `files with other bytes, directories and links are not identical`() async throws {
    try await FlowHarness.with({ $0.delivery.collision = .keepIdentical }) { harness in
      try harness.write("B/a.txt", "other")
      try harness.write("outside", "hello")
      try harness.path("B/a.1.txt").makeLink(to: "../outside")
      try harness.path("B/a.2.txt").makeDirectory()
      let compared = try await compare("a.txt", harness)
      #expect(compared.identical == nil && compared.others.count == 1)
    }
  }

  private func compare(
    _ name: String, _ harness: FlowHarness
  ) async throws -> (identical: RawPath?, sha256: String, others: Set<FileStatus>) {
    let stage = PlaceStage(harness.context, harness.runner)
    let payload = try #require(await stage.run([harness.judged(name)], shut: [:], .init()).payloads.first)
    #expect(payload.delivery.step == .compare(from: 0))
    guard
      case .compared(let identical, let sha256, let others) =
        IdentityComparison(context: harness.context).compare(payload)
    else { throw NotCompared() }
    return (identical, sha256, others)
  }

  private struct NotCompared: Error {}

  @Test func `a payload that changed while it was compared is not called identical`() async throws {
    try await FlowHarness.with({ $0.delivery.collision = .keepIdentical }) { harness in
      try harness.write("B/a.txt", "hello")
      let stage = PlaceStage(harness.context, harness.runner)
      var payload = try #require(await stage.run([harness.judged()], shut: [:], .init()).payloads.first)
      payload.delivery.drop.modified -= 1
      guard case .compared(nil, _, _) = IdentityComparison(context: harness.context).compare(payload) else {
        Issue.record("it was called identical")
        return
      }
    }
  }

  // MARK: - The queue

  @Test func `a second batch is placed beside the first only if it is full, and little is placed at once`()
    async throws
  {
    try await FlowHarness.with { harness in
      let queue = PlaceQueue(batchesAtOnce: 2)
      #expect(!queue.begin() && !queue.beginHere() && queue.isIdle)
      let payload = try await harness.judged()
      queue.append(payload)
      #expect(queue.beginHere() && queue.next().count == 1 && !queue.isIdle)
      queue.append(payload)
      #expect(!queue.begin() && !queue.beginHere())
      for _ in 1..<ClaimQueue.batchLimit { queue.append(payload) }
      #expect(queue.begin() && queue.next().count == ClaimQueue.batchLimit && queue.count == 0)
      queue.end()
      queue.end()
      for _ in 0..<concurrencyThreshold { queue.append(payload) }
      #expect(!queue.beginHere() && queue.begin())
    }
  }
}
