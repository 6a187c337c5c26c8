import DropEngine
import Support
import Testing

@testable import DropControl

@Suite struct ChangeQueueTests {
  let start = ContinuousClock.now
  let time = WallTime(milliseconds: 1_772_357_400_250)
  let idle = ZoneStatus.sample("a")
  let targeted = ZoneStatus.sample("a").targeted(by: "x.pdf")

  private func sent(_ next: ChangeQueue.Next) -> [MonitorReply] {
    if case .send(let changes) = next { return changes }
    return []
  }

  @Test func `the first state of a zone is sent at once, and changes count up from 1`() {
    var queue = ChangeQueue(limit: 1 << 20)
    queue.receive(idle, at: time)
    queue.receive(.sample("b"), at: time)
    let changes = sent(queue.next(at: start, time))
    #expect(changes.map(\.n) == [1, 2])
    #expect(changes.map(\.zone?.name) == ["a", "b"])
    #expect(changes.allSatisfy { $0.at == "2026-03-01T09:30:00.250Z" && !$0.overrun })
    #expect(queue.next(at: start, time) == .nothing)
  }

  @Test func `every change of isTargeted is sent separately`() {
    var queue = ChangeQueue(limit: 1 << 20)
    for zone in [idle, targeted, idle, targeted, idle] { queue.receive(zone, at: time) }
    #expect(sent(queue.next(at: start, time)).map(\.zone?.isTargeted) == [false, true, false, true, false])
  }

  @Test func `of other changes, only the newest is sent, at most ten times per second`() {
    var queue = ChangeQueue(limit: 1 << 20)
    queue.receive(targeted, at: time)
    _ = queue.next(at: start, time)
    for bytes in [2, 3, 4] {
      var zone = targeted
      zone.payloadBytes = Int64(bytes)
      queue.receive(zone, at: time)
    }
    #expect(queue.next(at: start + .milliseconds(30), time) == .wait(until: start + .milliseconds(100)))
    #expect(sent(queue.next(at: start + .milliseconds(100), time)).map(\.zone?.payloadBytes) == [4])
    #expect(queue.next(at: start + .milliseconds(100), time) == .nothing)
  }

  @Test func `a change of isTargeted is sent at once, and replaces waiting changes`() {
    var queue = ChangeQueue(limit: 1 << 20)
    queue.receive(targeted, at: time)
    _ = queue.next(at: start, time)
    var more = targeted
    more.payloadBytes = 5
    queue.receive(more, at: time)
    queue.receive(idle, at: time)
    #expect(sent(queue.next(at: start + .milliseconds(1), time)).map(\.zone) == [idle])
    #expect(queue.next(at: start + .milliseconds(1), time) == .nothing)
  }

  @Test func `zones do not wait for each other`() {
    var queue = ChangeQueue(limit: 1 << 20)
    for name in ["a", "b"] { queue.receive(.sample(name), at: time) }
    _ = queue.next(at: start, time)
    var changed = ZoneStatus.sample("a")
    changed.accepted = 9
    queue.receive(changed, at: time)
    queue.receive(.sample("b").targeted(by: "y"), at: time)
    #expect(sent(queue.next(at: start + .milliseconds(1), time)).map(\.zone?.name) == ["b"])
  }

  @Test func `a client that reads too slowly is told how many changes were lost, and gets each zone again`() {
    var queue = ChangeQueue(limit: 10_000)
    queue.receive(.sample("b"), at: time)
    #expect(sent(queue.next(at: start, time)).map(\.n) == [1])
    var changes = 0
    for round in 0..<100 {
      queue.receive(round.isMultiple(of: 2) ? targeted : idle, at: time)
      changes += 1
    }
    let restart = sent(queue.next(at: start, time))
    #expect(restart.first == MonitorReply(n: 1 + changes + 1, at: time.description, zone: nil, overrun: true))
    #expect(restart.dropFirst().map(\.zone) == [idle, .sample("b")])
    #expect(restart.map(\.n) == [102, 103, 104])
    queue.receive(targeted, at: time)
    #expect(sent(queue.next(at: start, time)).map(\.zone) == [targeted])
  }

  @Test func `a single change is sent even if it is larger than the limit`() {
    var queue = ChangeQueue(limit: 10)
    queue.receive(targeted, at: time)
    #expect(sent(queue.next(at: start, time)).map(\.zone) == [targeted])
  }

  @Test func `a list of staged payloads is truncated, but the counts are complete`() {
    var zone = idle
    for number in 0..<1_000 { zone = zone.targeted(by: "file\(number)") }
    var report = StatusReport(daemon: .sample, zones: [idle, zone])
    report.cut(to: 40_000)
    #expect(report.zones[0] == idle)
    #expect(report.zones[1].staged.count > 10)
    #expect(report.zones[1].staged.count < 200)
    #expect(report.zones[1].itemsCount == 1_000)
    var whole = StatusReport(daemon: .sample, zones: [zone])
    whole.cut(to: 4 << 20)
    #expect(whole.zones == [zone])
  }
}
