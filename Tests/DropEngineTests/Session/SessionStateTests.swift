import DropEngine
import Testing

@Suite struct SessionStateTests {
  let a = DropID(1)
  let b = DropID(2)
  var session = SessionState(id: DropID(9), start: .zero)

  @Test mutating func `a session with one moved payload goes through all phases`() {
    var phases = [session.phase]
    phases += session.change()
    session.release(a)
    phases += session.exit() + session.finish(a, .moved)
    #expect(phases == [.entering, .active, .exiting, .ended(.move), .transferred])
    #expect(session.isOver)
  }

  @Test(
    arguments: [
      ([.moved, .copied, .refused], .move), ([.refused, .copied], .copy), ([.refused, .withdrawn], .forbidden),
      ([.withdrawn, .withdrawn], .cancel), ([], .cancel),
    ] as [([SessionState.Outcome], LiveOperation)])
  mutating func `it ends with the operation of taken payloads, or else forbidden, or else cancel`(
    outcomes: [SessionState.Outcome], operation: LiveOperation
  ) {
    let ids = outcomes.indices.map { DropID(UInt64($0) + 1) }
    for id in ids { session.release(id) }
    var phases = session.exit()
    for (id, outcome) in zip(ids, outcomes) { phases += session.finish(id, outcome) }
    #expect(phases.prefix(2) == [.exiting, .ended(operation)])
    #expect(phases.dropFirst(2) == (operation == .move || operation == .copy ? [.transferred] : []))
  }

  @Test mutating func `a payload that disappears before it is complete counts as withdrawn`() {
    session.lose()
    let phases = session.exit()
    #expect(phases == [.exiting, .ended(.cancel)])
  }

  @Test mutating func `it waits for all released payloads`() {
    session.release(a)
    session.release(b)
    let first = session.finish(a, .refused) + session.exit()
    let second = session.finish(b, .refused)
    #expect(first == [.exiting])
    #expect(second == [.ended(.forbidden)])
  }

  @Test mutating func `it does not wait for a payload that is staged again`() {
    session.release(a)
    _ = session.exit()
    let phases = session.giveBack(a)
    #expect(phases == [.ended(.cancel)])
  }

  @Test mutating func `no phase follows the end`() {
    session.release(a)
    _ = session.exit()
    _ = session.finish(a, .copied)
    session.release(b)
    var phases = session.change() + session.exit() + session.cut()
    phases += session.finish(a, .moved) + session.finish(b, .moved) + session.giveBack(a)
    #expect(phases == [])
    #expect(session.phase == .transferred)
  }

  @Test mutating func `a session that is ended early ends with the known outcomes`() {
    session.release(a)
    session.release(b)
    _ = session.finish(a, .refused)
    let phases = session.cut()
    #expect(phases == [.exiting, .ended(.forbidden)])
  }
}

@Suite struct ZoneSessionsTests {
  var sessions = ZoneSessions(stalled: .seconds(600))
  let a = DropID(1)
  let b = DropID(2)

  private mutating func expect(_ wanted: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let steps = sessions.take().map { step in
      let phase =
        switch step.phase {
        case .ended(let operation): "ended \(operation)"
        default: "\(step.phase)"
        }
      return "\(step.id == DropID(100) ? "first" : "second") \(phase)"
    }
    #expect(steps == wanted, sourceLocation: sourceLocation)
  }

  @Test mutating func `a session lasts while the zone is targeted`() {
    var ends = [sessions.light(true, at: .zero, new: DropID(100))]
    sessions.change()
    ends.append(sessions.light(true, at: .seconds(1), new: DropID(101)))
    let session = sessions.release(a, at: .seconds(1), new: DropID(101)).id
    ends.append(sessions.light(false, at: .seconds(1), new: DropID(101)))
    sessions.finish(a, .moved)
    expect(["first entering", "first active", "first exiting", "first ended move", "first transferred"])
    sessions.finish(a, .moved)
    ends.append(sessions.light(false, at: .seconds(2), new: DropID(101)))
    #expect(session == DropID(100))
    #expect(ends == [false, false, true, false])
    #expect(!sessions.hasSteps)
  }

  @Test mutating func `a new session can begin while an older one waits for outcomes`() {
    _ = sessions.light(true, at: .zero, new: DropID(100))
    _ = sessions.release(a, at: .zero, new: DropID(101))
    _ = sessions.light(false, at: .zero, new: DropID(101))
    _ = sessions.light(true, at: .seconds(1), new: DropID(101))
    _ = sessions.release(b, at: .seconds(1), new: DropID(102))
    sessions.finish(a, .refused)
    _ = sessions.light(false, at: .seconds(1), new: DropID(102))
    sessions.finish(b, .copied)
    expect([
      "first entering", "first exiting", "second entering", "first ended forbidden", "second exiting",
      "second ended copy", "second transferred",
    ])
  }

  @Test mutating func `a session that has lasted too long ends at the next release`() {
    _ = sessions.light(true, at: .zero, new: DropID(100))
    let first = sessions.release(a, at: .seconds(599), new: DropID(101))
    #expect(first.id == DropID(100) && !first.isNew)
    let (id, isNew) = sessions.release(b, at: .seconds(600), new: DropID(101))
    #expect(id == DropID(101) && isNew)
    sessions.finish(a, .moved)
    expect([
      "first entering", "first exiting", "second entering", "first ended move", "first transferred",
    ])
  }

  @Test mutating func `too many sessions without outcomes are ended, the oldest first`() {
    for number in 0..<100 {
      _ = sessions.light(true, at: .zero, new: DropID(UInt64(1000 + number)))
      _ = sessions.release(DropID(UInt64(number)), at: .zero, new: a)
      _ = sessions.light(false, at: .zero, new: a)
    }
    let ended = sessions.take().filter { $0.phase == .ended(.cancel) }.map(\.id)
    #expect(ended == (1000..<1036).map { DropID($0) })
  }

  @Test mutating func `closing a zone ends all its sessions`() {
    _ = sessions.light(true, at: .zero, new: DropID(100))
    _ = sessions.release(a, at: .zero, new: b)
    sessions.close()
    sessions.finish(a, .moved)
    expect(["first entering", "first exiting", "first ended cancel"])
  }
}
