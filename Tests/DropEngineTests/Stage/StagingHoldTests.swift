import Testing

@testable import DropEngine

@Suite struct StagingHoldTests {
  /// Creates a script whose file is complete, and about which the flow was asked.
  private func asked() -> StagingScript {
    var script = StagingScript()
    #expect(script.inspect("a", .renamed) == .ask)
    return script
  }

  @Test func `a file without progress is stalled and does not light the zone, until it makes progress`() {
    var script = StagingScript { $0.stalled = .seconds(60) }
    #expect(script.write("a.part", size: 5) == .wait)
    #expect(script.staging.arriving == 1)
    #expect(script["a.part"]?.nextInspection == script.now + .seconds(60))
    script.wait(.seconds(60))
    #expect(script.due() == ["a.part"])
    #expect(script.inspect("a.part") == .wait)
    #expect(script["a.part"]?.waiting == .stalled)
    #expect(script["a.part"]?.nextInspection == nil)
    #expect(script.staging.arriving == 0)
    #expect(script.write("a.part", size: 6) == .wait)
    #expect(script["a.part"]?.waiting == .temporaryName)
    #expect(script.staging.arriving == 1)
  }

  @Test func `a file whose writer never finishes is stalled, and is still checked for writers`() {
    var script = StagingScript { $0.stalled = .seconds(2) }
    _ = script.write()
    script.wait(.seconds(2))
    #expect(script.inspect() == .ask)
    #expect(script.answer(.present) == .wait)
    #expect(script.waiting == .stalled)
    #expect(script.rest == .milliseconds(200))
    script.wait(.milliseconds(200))
    #expect(script.inspect() == .ask)
    #expect(script.answer(.none(.lease)) == .release)
  }

  @Test func `a payload that is not to be taken yet waits for a deadline, longer each time`() {
    var script = asked()
    for back in [1, 2, 4, 8, 16, 32, 60, 60] {
      #expect(script.answer(.none(.lease)) == .release)
      #expect(script.putBack(.notYet, endsAtChange: true) == .wait)
      #expect(script.waiting == .notYet)
      #expect(script.rest == .seconds(back))
      #expect(script.staging.arriving == 1)
      script.wait(.seconds(back))
      #expect(script.due() == ["a"])
      #expect(script.inspect() == .ask)
    }
  }

  @Test func `a payload that is not to be taken yet waits for quiet when it changes`() {
    var script = asked()
    #expect(script.answer(.none(.lease)) == .release)
    #expect(script.putBack(.notYet, endsAtChange: true) == .wait)
    #expect(script.write(size: 9) == .wait)
    #expect(script.waiting == .quiet)
    #expect(script.rest == .seconds(1))
  }

  @Test(arguments: [Waiting.retry, .cannotTake])
  func `a payload that the flow cannot take does not light the zone`(waiting: Waiting) {
    var script = asked()
    #expect(script.answer(.none(.lease)) == .release)
    #expect(script.putBack(waiting) == .wait)
    #expect(script.waiting == waiting)
    #expect(script.staging.arriving == 0)
    #expect(script.staging.count == 1)
  }

  @Test func `a payload that is put back several times is counted once`() {
    var script = asked()
    for round in 0..<4 {
      #expect(script.answer(.none(.lease)) == .release)
      #expect(script.staging.count == 0)
      #expect(script.staging.arriving == 0)
      #expect(script.putBack(round % 2 == 0 ? .retry : .notYet) == .wait)
      #expect(script.staging.count == 1)
      #expect(script.staging.bytes == 1)
      #expect(script.staging.arriving == round % 2)
      script.wait(.seconds(60))
      #expect(script.inspect() == .ask)
    }
  }

  @Test func `a temporary error keeps its deadline when the file changes`() {
    var script = asked()
    #expect(script.answer(.retry("no memory")) == .wait)
    #expect(script.waiting == .retry)
    #expect(script.rest == .seconds(1))
    #expect(script.staging.arriving == 0)
    #expect(script.write(size: 2) == .wait)
    #expect(script.waiting == .retry)
    script.wait(.seconds(1))
    #expect(script.inspect() == .ask)
  }

  @Test func `an unreadable file does not light the zone until it changes`() {
    var script = asked()
    #expect(script.answer(.unreadable("permission denied")) == .wait)
    #expect(script.waiting == .unreadable)
    #expect(script["a"]?.detail == "permission denied")
    #expect(script.staging.arriving == 0)
    #expect(script.write() == .wait)
    #expect(script.waiting == .quiet)
    #expect(script.staging.arriving == 1)
  }

  @Test func `a payload that is put back without a reason waits for the quiet time`() {
    var script = asked()
    #expect(script.answer(.none(.lease)) == .release)
    #expect(script.inspect() == .wait)
    #expect(script.staging.count == 0)
    #expect(script.putBack(nil) == .wait)
    #expect(script.waiting == .quiet)
    #expect(script.rest == .seconds(1))
  }

  @Test func `a file under the name of a payload in flight is kept when the payload is put back`() throws {
    var script = asked()
    #expect(script.answer(.none(.lease)) == .release)
    // It must wait until the flow has answered for the first one, because their names do not tell them apart.
    #expect(script.replace(size: 7) == .wait)
    #expect(script.answer(.none(.lease)) == .wait)
    let second = try #require(script["a"]?.status.identity)
    #expect(script.putBack(.notYet) == .wait)
    #expect(script["a"]?.status.identity == second)
    #expect(script.due() == ["a"])
    #expect(script.inspect() == .ask)
    #expect(script.staging.count == 1)
    #expect(script.staging.bytes == 7)
    #expect(script.staging.inFlightCount == 0)
  }

  @Test func `another file under the same name starts over`() {
    var script = StagingScript()
    #expect(script.write(size: 4) == .wait)
    script.wait(.milliseconds(900))
    #expect(script.replace(size: 9, .written) == .wait)
    #expect(script.rest == .seconds(1))
    #expect(script.staging.count == 1)
    #expect(script.staging.bytes == 9)
    #expect(script.replace(size: 3) == .ask)
    #expect(script.staging.bytes == 3)
  }

  @Test func `a paused zone holds complete payloads until it is resumed`() {
    var script = StagingScript()
    script.staging.isPaused = true
    #expect(script.inspect("a", .renamed) == .wait)
    #expect(script.waiting == .paused)
    #expect(script.staging.arriving == 0)
    script.wait(.seconds(100))
    #expect(script.due().isEmpty)
    script.staging.isPaused = false
    #expect(script.due() == ["a"])
    #expect(script.inspect() == .ask)
  }

  @Test func `a blocked zone lights for payloads that are arriving, not for complete ones`() {
    var script = StagingScript()
    script.staging.setBlocked("no room", at: script.now)
    #expect(script.write() == .wait)
    #expect(script.waiting == .quiet)
    #expect(script.staging.arriving == 1)
    script.wait(.seconds(1))
    #expect(script.inspect() == .wait)
    #expect(script.waiting == .blocked)
    #expect(script["a"]?.detail == "no room")
    #expect(script.staging.arriving == 0)
    script.staging.setBlocked(nil, at: script.now)
    #expect(script.due() == ["a"])
    #expect(script.inspect() == .ask)
  }

  @Test(arguments: [(Evidence.scans, 3), (.leaseNoMaps, 2), (.lease, 1), (.quietOnly, 1)])
  func `where writers are not visible, equal inspections five seconds apart are needed`(
    evidence: Evidence, inspections: Int
  ) {
    var script = StagingScript()
    #expect(script.write(evidence: evidence) == .wait)
    script.wait(.seconds(1))
    for number in 1..<inspections {
      #expect(script.inspect(evidence: evidence) == .wait)
      #expect(script["a"]?.equalInspections == number)
      script.wait(.milliseconds(3999 + (number == 1 ? 0 : 1000)))
      #expect(script.inspect(evidence: evidence) == .wait)
      script.wait(.milliseconds(1))
      #expect(script.due() == ["a"])
    }
    #expect(script.inspect(evidence: evidence) == .ask)
  }

  @Test func `a change between two inspections restarts the count`() {
    var script = StagingScript()
    #expect(script.write(evidence: .scans) == .wait)
    script.wait(.seconds(5))
    #expect(script.inspect(evidence: .scans) == .wait)
    #expect(script["a"]?.equalInspections == 2)
    #expect(script.write(size: 2, [], evidence: .scans) == .wait)
    #expect(script["a"]?.equalInspections == 1)
  }

  @Test func `a file from before a crash waits for twice the quiet time, even after a rename`() {
    var script = StagingScript()
    #expect(script.inspect("a", [.afterCrash, .renamed]) == .wait)
    #expect(script.rest == .seconds(2))
    script.wait(.seconds(2))
    #expect(script.inspect() == .ask)
  }

  @Test func `an operator can take an ordinary file at once, but none with a temporary name`() {
    var script = StagingScript()
    #expect(script.write() == .wait)
    #expect(script.staging.force(StagingScript.key("a"), at: script.now) == .ask)
    #expect(script.write("b.part") == .wait)
    #expect(script.staging.force(StagingScript.key("b.part"), at: script.now) == .wait)
    #expect(script.staging.force(StagingScript.key("gone"), at: script.now) == .wait)
  }

  @Test func `an operator ends a back-off`() {
    var script = asked()
    #expect(script.answer(.none(.lease)) == .release)
    #expect(script.putBack(.notYet) == .wait)
    #expect(script.staging.askNow(StagingScript.key("a"), at: script.now) == .ask)
  }

  @Test func `a special file is never taken`() {
    var script = StagingScript()
    #expect(script.inspect(kind: .special("a pipe")) == .wait)
    #expect(script.waiting == .special)
    #expect(script["a"]?.detail == "a pipe")
    script.wait(.seconds(1000))
    #expect(script.staging.force(StagingScript.key("a"), at: script.now) == .wait)
    #expect(script.staging.arriving == 0)
  }
}
