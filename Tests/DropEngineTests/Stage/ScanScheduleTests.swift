import Testing

@testable import DropEngine

@Suite struct ScanScheduleTests {
  @Test func `a directory that is queued twice is scanned once, and deeply if one request was deep`() {
    var queue = ScanQueue()
    for (directory, isDeep) in [(1, false), (2, false), (1, true), (2, false)] as [(Int32, Bool)] {
      queue.add(directory, deep: isDeep)
    }
    #expect(queue.next().map { $0 == (1, true) } == true)
    queue.add(1, deep: false)
    #expect(queue.next().map { $0 == (2, false) } == true)
    #expect(queue.next().map { $0 == (1, false) } == true)
    #expect(queue.next() == nil && queue.isEmpty)
  }

  @Test func `a directory without events is scanned at growing intervals, up to the limit`() {
    var polls = PollSchedule()
    var now = Duration.zero
    for wait in [5, 10, 20, 30, 30] {
      polls.schedule(7, atMostEvery: .seconds(30), at: now)
      #expect(polls.nextDeadline() == now + .seconds(wait))
      now += .seconds(wait)
      #expect(polls.takeDue(at: now - .milliseconds(1)).isEmpty)
      #expect(polls.takeDue(at: now) == [7])
      #expect(polls.nextDeadline() == nil)
    }
  }

  @Test func `activity brings the next scan forward`() {
    var polls = PollSchedule()
    polls.noteActivity(in: 7, at: .zero)
    #expect(polls.nextDeadline() == nil)
    for round in 0..<4 { polls.schedule(7, atMostEvery: .seconds(300), at: .seconds(round)) }
    #expect(polls.nextDeadline() == .seconds(43))
    polls.noteActivity(in: 7, at: .seconds(10))
    #expect(polls.nextDeadline() == .seconds(15))
    #expect(polls.takeDue(at: .seconds(60)) == [7])
    polls.schedule(7, atMostEvery: .seconds(300), at: .seconds(60))
    polls.remove(7)
    #expect(polls.nextDeadline() == nil)
    #expect(polls.takeDue(at: .seconds(999)).isEmpty)
  }
}

@Suite struct UnlistedDirectoriesTests {
  private var unlisted = UnlistedDirectories()

  private mutating func fail(_ reason: String = "Input/output error", deep: Bool = false, at now: Int) -> Duration? {
    unlisted.note(4, reason, isForbidden: false, isDeep: deep, limit: .seconds(3), at: .seconds(now))
  }

  @Test mutating func `a directory that cannot be listed is reported once, and tried again at growing intervals`() {
    #expect(fail(at: 0) == .seconds(1))
    // Failures of names in it until then are not new information.
    #expect(fail(at: 0) == nil)
    #expect(unlisted.nextDeadline == .seconds(1))
    #expect(unlisted.takeDue(at: .seconds(1)).map(\.directory) == [4])
    #expect(unlisted.nextDeadline == nil)
    #expect(fail(at: 1) == nil)
    #expect(unlisted.nextDeadline == .seconds(3))
    for next in [6, 9] {
      _ = unlisted.takeDue(at: .seconds(next - 3))
      _ = fail(at: next - 3)
      #expect(unlisted.nextDeadline == .seconds(next))
    }
    #expect(unlisted.first.map { $0 == (4, "Input/output error") } == true)
  }

  @Test mutating func `a new reason is reported again`() {
    _ = fail(at: 0)
    _ = unlisted.takeDue(at: .seconds(1))
    #expect(fail("Permission denied", at: 1) == .seconds(2))
    #expect(unlisted.reason(of: 4) == "Permission denied")
  }

  @Test mutating func `a directory is forgotten when a scan that began after its failure lists it`() {
    _ = fail(at: 0)
    #expect(unlisted.succeed(4) == false)
    unlisted.begin(4)
    #expect(unlisted.succeed(4) == true)
    #expect(unlisted.isEmpty)
    #expect(unlisted.succeed(4) == false)
    #expect(unlisted.remove(4) == false)
  }

  @Test mutating func `a deep scan stays deep when it is tried again`() {
    _ = fail(deep: true, at: 0)
    _ = fail(at: 0)
    #expect(unlisted.takeDue(at: .seconds(1)).map(\.isDeep) == [true])
  }

  @Test mutating func `a directory without permission is not waited for`() {
    _ = unlisted.note(5, "Permission denied", isForbidden: true, isDeep: false, limit: .seconds(3), at: .zero)
    #expect(!unlisted.isAnyExpected)
    _ = fail(at: 0)
    #expect(unlisted.isAnyExpected && unlisted.count == 2)
  }
}
