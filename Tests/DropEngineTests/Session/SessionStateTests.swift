import DropEngine
import Testing

@Suite struct SessionStateTests {
  let a = DropID(1)
  let b = DropID(2)
  var session = SessionState(id: DropID(9), start: .zero)

  @Test mutating func `one payload that is moved makes a whole life`() {
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
  mutating func `it ends in what was taken, else forbidden, and cancel where all was lost`(
    outcomes: [SessionState.Outcome], operation: LiveOperation
  ) {
    let ids = outcomes.indices.map { DropID(UInt64($0) + 1) }
    for id in ids { session.release(id) }
    var phases = session.exit()
    for (id, outcome) in zip(ids, outcomes) { phases += session.finish(id, outcome) }
    #expect(phases.prefix(2) == [.exiting, .ended(operation)])
    #expect(phases.dropFirst(2) == (operation == .move || operation == .copy ? [.transferred] : []))
  }

  @Test mutating func `what goes from the zone before it is complete is lost`() {
    session.lose()
    let phases = session.exit()
    #expect(phases == [.exiting, .ended(.cancel)])
  }

  @Test mutating func `it waits for all that is in hand`() {
    session.release(a)
    session.release(b)
    let first = session.finish(a, .refused) + session.exit()
    let second = session.finish(b, .refused)
    #expect(first == [.exiting])
    #expect(second == [.ended(.forbidden)])
  }

  @Test mutating func `a payload that is staged again is no longer waited for`() {
    session.release(a)
    _ = session.exit()
    let phases = session.giveBack(a)
    #expect(phases == [.ended(.cancel)])
  }

  @Test mutating func `nothing follows the end`() {
    session.release(a)
    _ = session.exit()
    _ = session.finish(a, .copied)
    session.release(b)
    var phases = session.change() + session.exit() + session.cut()
    phases += session.finish(a, .moved) + session.finish(b, .moved) + session.giveBack(a)
    #expect(phases == [])
    #expect(session.phase == .transferred)
  }

  @Test mutating func `cut short it ends with what is known`() {
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

  @Test mutating func `a session lasts while the zone is lit`() {
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

  @Test mutating func `what is still in hand does not keep the next session from beginning`() {
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

  @Test mutating func `one that has lasted too long ends at the next release`() {
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

  @Test mutating func `sessions that never hear of their payloads are ended, the oldest first`() {
    for number in 0..<100 {
      _ = sessions.light(true, at: .zero, new: DropID(UInt64(1000 + number)))
      _ = sessions.release(DropID(UInt64(number)), at: .zero, new: a)
      _ = sessions.light(false, at: .zero, new: a)
    }
    let ended = sessions.take().filter { $0.phase == .ended(.cancel) }.map(\.id)
    #expect(ended == (1000..<1036).map { DropID($0) })
  }

  @Test mutating func `a zone that closes ends them all`() {
    _ = sessions.light(true, at: .zero, new: DropID(100))
    _ = sessions.release(a, at: .zero, new: b)
    sessions.close()
    sessions.finish(a, .moved)
    expect(["first entering", "first exiting", "first ended cancel"])
  }
}
