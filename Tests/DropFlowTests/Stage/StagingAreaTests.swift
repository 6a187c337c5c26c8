import DropEngine
import Support
import Testing

@testable import DropFlow
@testable import DropSystem

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

  @Test func `who has waited for a receipt leaves nothing behind`() async throws {
    try await AreaRig.with { rig in
      let day = Duration.seconds(24 * 60 * 60)
      let before = TimerQueue.shared.pendingCount(after: monotonicNow() + day / 2)
      for number in 1...20 {
        async let next = rig.area.nextReceipt(timeout: day)
        async let quiet = rig.area.wait(for: ["z"], timeout: day)
        try rig.path("Z/\(number).txt").write("1")
        _ = try await rig.staged(1)
        try rig.rename("Z/\(number).txt", to: "gone-\(number)")
        #expect(await next)
        #expect(try await quiet)
      }
      // A timer ends by itself once it is told.
      let end = monotonicNow() + .seconds(10)
      while TimerQueue.shared.pendingCount(after: monotonicNow() + day / 2) > before, monotonicNow() < end {
        await TimerQueue.shared.sleep(for: .milliseconds(10))
      }
      #expect(TimerQueue.shared.pendingCount(after: monotonicNow() + day / 2) <= before)
    }
  }

  @Test func `attempts of files that went while nobody looked are forgotten`() async throws {
    try await AreaRig.with { rig in
      let note = AttemptCount(
        zone: "y", inode: 1, birth: 1, location: "gone.txt", id: newDropID(), attempts: 2, starts: 0)
      try await rig.addOther(["one.txt"], earlier: [note])
      let end = monotonicNow() + .seconds(10)
      while try !rig.attempts.isEmpty, monotonicNow() < end { await TimerQueue.shared.sleep(for: .milliseconds(5)) }
      #expect(try rig.attempts.isEmpty)
    }
  }

  @Test func `who waits no longer leaves nothing behind`() async throws {
    try await AreaRig.with { rig in
      try rig.path("Z/1.txt").write("1")
      _ = try await rig.staged(1)
      let day = Duration.seconds(24 * 60 * 60)
      let receipt = Task { await rig.area.nextReceipt(timeout: day) }
      while await rig.area.waiting == 0 { await TimerQueue.shared.sleep(for: .milliseconds(1)) }
      receipt.cancel()
      #expect(await !receipt.value)
      let early = Task {
        while !Task.isCancelled { await TimerQueue.shared.sleep(for: .milliseconds(1)) }
        return await rig.area.nextReceipt(timeout: day)
      }
      early.cancel()
      #expect(await !early.value)
      #expect(await rig.area.waiting == 0)
    }
  }

  @Test func `nothing is kept of files that were renamed, or moved away`() async throws {
    try await AreaRig.with { rig in
      try rig.path("Z/x.txt").write("0")
      _ = try await rig.staged(1)
      for number in 1...20 {
        try rig.path("Z/.x.tmp").write("\(number)")
        _ = try await rig.staged(2)
        try rig.rename("Z/.x.tmp", to: "Z/x.txt", replacing: true)
        _ = try await rig.staged(1)
        try rig.path("Z/y.txt").write("\(number)")
        _ = try await rig.staged(2)
        try rig.rename("Z/y.txt", to: "Z/Thumbs.db", replacing: true)
        _ = try await rig.staged(1)
      }
      #expect(await rig.area.kept(of: "z") == 0)
    }
  }
}

extension StagingArea {
  /// How many wait for an answer.
  fileprivate var waiting: Int { waiters.count }

  /// How much is kept for files that may reappear.
  fileprivate func kept(of name: String) -> Int {
    (zones[name]?.files.expectedCount ?? 0) + scanner.renames.untrustedCount
  }
}
