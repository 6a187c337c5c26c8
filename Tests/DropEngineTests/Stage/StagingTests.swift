import Testing

@testable import DropEngine

@Suite struct StagingTests {
  @Test func `after the quiet time, writers are checked for, and without one the payload is released`() {
    var script = StagingScript()
    #expect(script.write() == .wait)
    #expect(script.waiting == .quiet)
    #expect(script.rest == .seconds(1))
    script.wait(.milliseconds(999))
    #expect(script.due().isEmpty)
    #expect(script.inspect() == .wait)
    script.wait(.milliseconds(1))
    #expect(script.due() == ["a"])
    #expect(script.inspect() == .ask)
    #expect(script.answer(.none(.lease)) == .release)
    #expect(script["a"] == nil)
    #expect(script.staging.released(StagingScript.key("a"))?.evidence == .lease)
    #expect(script.staging.inFlightCount == 1)
  }

  @Test func `new files are numbered in the session, and a known file keeps its number`() {
    var script = StagingScript()
    #expect(script.inspect("a") == .wait)
    #expect(script.inspect("b", ordinal: 7) == .wait)
    #expect(script.inspect("c") == .wait)
    #expect(["a", "b", "c"].map { script[$0]?.ordinal } == [1, 7, 2])
    #expect(script.staging.sessionItems == 2)
  }

  @Test func `each write restarts the quiet time`() {
    var script = StagingScript()
    for size in 1...5 {
      #expect(script.write(size: Int64(size)) == .wait)
      #expect(script.rest == .seconds(1))
      script.wait(.milliseconds(900))
    }
    script.wait(.milliseconds(100))
    #expect(script.inspect() == .ask)
  }

  @Test func `a file with a thousand writes in a row is due once it is quiet`() {
    var script = StagingScript()
    for size in 1...1029 {
      script.wait(.milliseconds(1))
      #expect(script.write(size: Int64(size)) == .wait)
    }
    script.wait(.seconds(1))
    #expect(script.due() == ["a"])
  }

  @Test func `a new file is due once it is quiet, no matter how many others are gone`() {
    var script = StagingScript()
    for number in 1...1200 { #expect(script.write("\(number)") == .wait) }
    for number in 1...1200 { script.lose("\(number)") }
    #expect(script.write() == .wait)
    script.wait(.seconds(1))
    #expect(script.due() == ["a"])
  }

  @Test func `files that are due together are due in the order of arrival`() {
    var script = StagingScript()
    let names = (1...50).map { "\($0)" }
    for name in names { #expect(script.write(name) == .wait) }
    script.wait(.seconds(1))
    #expect(script.staging.due(at: script.now).map(\.name) == names.map { RawPath($0) })
  }

  @Test func `a close does not restart the quiet time`() {
    var script = StagingScript()
    #expect(script.write() == .wait)
    script.wait(.milliseconds(600))
    #expect(script.inspect("a", .closed) == .wait)
    #expect(script.rest == .milliseconds(400))
    script.wait(.milliseconds(400))
    #expect(script.inspect("a", .closed) == .ask)
  }

  @Test func `a file that was renamed into place is checked at once where a lease proves that it has no writer`() {
    var script = StagingScript()
    #expect(script.inspect("a", .renamed) == .ask)
    #expect(script.answer(.none(.lease)) == .release)
  }

  @Test(arguments: [Evidence.quietOnly, .leaseNoMaps, .scans])
  func `a file that was renamed into place waits for the quiet time where no lease proves that it has no writer`(
    evidence: Evidence
  ) {
    var script = StagingScript()
    #expect(script.inspect("a", .renamed, evidence: evidence) == .wait)
    #expect(script.waiting == .quiet)
    #expect(script.rest == .seconds(1))
  }

  @Test func `a renamed file waits for the quiet time if the lease is not available`() {
    var script = StagingScript()
    #expect(script.inspect("a", .renamed) == .ask)
    #expect(script.answer(.none(.quietOnly)) == .wait)
    #expect(script.rest == .seconds(1))
    script.wait(.seconds(1))
    #expect(script.due() == ["a"])
    #expect(script.inspect("a", evidence: .quietOnly) == .ask)
    #expect(script.answer(.none(.quietOnly)) == .release)
  }

  @Test(arguments: [StagingHint.fromUntrusted, .written])
  func `a rename that proves nothing waits`(also: StagingHint) {
    var script = StagingScript()
    #expect(script.inspect("a", [.renamed, also]) == .wait)
    #expect(script.rest == .seconds(1))
    script.wait(.seconds(1))
    #expect(script.inspect() == .ask)
  }

  @Test func `a rename proves nothing about a file with a second name`() {
    var script = StagingScript()
    #expect(script.replace(links: 2) == .wait)
    #expect(script.rest == .seconds(1))
  }

  @Test func `a file waits for the quiet time after a write that follows its rename`() {
    var script = StagingScript()
    #expect(script.inspect("a", .renamed) == .ask)
    #expect(script.write(size: 2) == .wait)
    #expect(script.rest == .seconds(1))
  }

  @Test func `an empty file has a grace period, and is checked after it`() {
    var script = StagingScript()
    #expect(script.write(size: 0) == .wait)
    #expect(script.waiting == .empty)
    #expect(script.rest == .seconds(10))
    script.wait(.seconds(10))
    #expect(script.due() == ["a"])
    #expect(script.inspect() == .ask)
  }

  @Test func `an empty file that gets content waits only for the quiet time`() {
    var script = StagingScript()
    #expect(script.write(size: 0) == .wait)
    script.wait(.seconds(9))
    #expect(script.write(size: 5) == .wait)
    #expect(script.waiting == .quiet)
    #expect(script.rest == .seconds(1))
  }

  @Test func `a zone that takes empty files gives them no grace period`() {
    var script = StagingScript(takesEmpty: true)
    #expect(script.write(size: 0) == .wait)
    #expect(script.waiting == .quiet)
    #expect(script.rest == .seconds(1))
  }

  @Test func `an empty file waits as long as there is a temporary file for it`() {
    var script = StagingScript()
    #expect(script.write(size: 0) == .wait)
    #expect(script.write("a.part", size: 3) == .wait)
    #expect(script["a.part"]?.waiting == .temporaryName)
    script.wait(.seconds(60))
    #expect(script.inspect() == .wait)
    #expect(script.waiting == .empty)
    script.lose("a.part")
    #expect(script.due() == ["a"])
    #expect(script.inspect() == .ask)
  }

  @Test func `a file waits for its temporary file, unless that has stalled`() {
    var script = StagingScript { $0.stalled = .seconds(20) }
    #expect(script.write("a.part") == .wait)
    #expect(script.write() == .wait)
    script.wait(.seconds(19))
    #expect(script.inspect() == .wait)
    #expect(script.waiting == .quiet)
    script.wait(.seconds(1))
    #expect(script.inspect("a.part") == .wait)
    #expect(script["a.part"]?.waiting == .stalled)
    #expect(script.due() == ["a"])
    #expect(script.inspect() == .ask)
  }

  @Test func `a file is due as soon as its last temporary file is gone`() {
    var script = StagingScript()
    #expect(script.write("a.part") == .wait)
    #expect(script.write() == .wait)
    script.wait(.seconds(3))
    #expect(script.write("b.part") == .wait)
    script.lose("b.part")
    #expect(script.due().isEmpty)
    script.lose("a.part")
    #expect(script.due() == ["a"])
    #expect(script.inspect() == .ask)
  }

  @Test func `many temporary files and many files take little time`() {
    var script = StagingScript()
    let begin = ContinuousClock.now
    for number in 1...4000 { #expect(script.write("x\(number).part") == .wait) }
    for number in 1...4000 { #expect(script.write("\(number)") == .wait) }
    #expect(ContinuousClock.now - begin < .seconds(10))
  }

  @Test func `the total length of files does not overflow`() {
    var script = StagingScript()
    #expect(script.write("a", size: .max) == .wait)
    #expect(script.write("b", size: .max - 1) == .wait)
    #expect(script.staging.bytes == .max)
    script.lose("a")
    #expect(script.staging.bytes == .max - 1)
  }

  @Test func `a renamed file does not wait for its temporary file`() {
    var script = StagingScript()
    #expect(script.write("a.part") == .wait)
    #expect(script.inspect("a", .renamed) == .ask)
  }

  @Test func `a name that is no longer a temporary name delays no file`() {
    var script = StagingScript()
    #expect(script.write(size: 0) == .wait)
    #expect(script.write("a.part") == .wait)
    #expect(script.inspect("a.part", kind: .special("a pipe")) == .wait)
    script.wait(.seconds(10))
    #expect(script.inspect() == .ask)
    script.lose("a.part")
    #expect(script.inspect() == .ask)
  }

  @Test func `a payload waits for its marker, and the marker is never taken`() {
    var script = StagingScript { $0.marker = ".done" }
    #expect(script.write() == .wait)
    script.wait(.seconds(5))
    #expect(script.inspect() == .wait)
    #expect(script["a"]?.detail == "marker missing")
    #expect(script.write("a.done", size: 0) == .wait)
    #expect(script["a.done"]?.waiting == .special)
    #expect(script.reconsider() == .ask)
    script.lose("a.done")
    #expect(script.reconsider() == .wait)
  }

  @Test func `a marker lights the zone until its file arrives, and again when the file is gone`() {
    var script = StagingScript { $0.marker = ".done" }
    #expect(script.write("a.done", size: 0) == .wait)
    #expect(script["a.done"]?.detail == "marker without its file")
    #expect(script.write() == .wait)
    #expect(script.due() == ["a.done"])
    #expect(script.inspect("a.done") == .wait)
    #expect(script["a.done"]?.waiting == .special)
    #expect(script.staging.arriving == 1)
    script.wait(.seconds(1))
    #expect(script.inspect() == .ask)
    #expect(script.answer(.none(.lease)) == .release)
    #expect(script.inspect("a.done") == .wait)
    #expect(script.staging.arriving == 0)
    script.staging.claimed(StagingScript.key("a"), at: script.now)
    #expect(script.due() == ["a.done"])
    #expect(script.inspect("a.done") == .wait)
    #expect(script["a.done"]?.detail == "marker without its file")
    #expect(script.staging.arriving == 1)
  }

  @Test func `checks for a writer become less frequent, down to one in five seconds`() {
    var script = StagingScript()
    _ = script.write()
    script.wait(.seconds(1))
    for back in [200, 400, 800, 1600, 3200, 5000, 5000] {
      #expect(script.inspect() == .ask)
      #expect(script.answer(.present) == .wait)
      #expect(script.waiting == .writer)
      #expect(script.rest == .milliseconds(back))
      script.wait(.milliseconds(back - 1))
      #expect(script.inspect() == .wait)
      script.wait(.milliseconds(1))
      #expect(script.due() == ["a"])
    }
    #expect(script.inspect() == .ask)
  }

  @Test func `a close ends a writer's back-off`() {
    var script = StagingScript()
    _ = script.write()
    script.wait(.seconds(1))
    #expect(script.inspect() == .ask)
    #expect(script.answer(.present) == .wait)
    #expect(script.inspect("a", .closed) == .ask)
    #expect(script.answer(.present) == .wait)
    #expect(script.rest == .milliseconds(200))
  }
}
