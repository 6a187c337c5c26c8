import DropEngine
import Testing

@Suite struct HandlerAnswerTests {
  @Test func `a reason is trimmed, and escaped`() {
    #expect(HandlerAnswer.reason(Array("  already paid \r".utf8)) == "already paid")
    #expect(HandlerAnswer.reason(Array("\u{1B}[2J\u{202E}x".utf8) + [0xFF]) == #"\u{1B}[2J\u{202E}x\xFF"#)
    #expect(HandlerAnswer.reason(Array(" \t".utf8)) == nil)
    #expect(HandlerAnswer.reason([]) == nil)
  }

  @Test(arguments: 1020...1028)
  func `a long reason is truncated between characters`(length: Int) throws {
    let reason = try #require(HandlerAnswer.reason(Array((String(repeating: "a", count: length) + "€€€").utf8)))
    #expect(reason.hasSuffix("…"))
    #expect(!reason.contains("\\x"))
    #expect(reason.utf8.count <= HandlerAnswer.reasonLimit + "…".utf8.count)
  }

  @Test(arguments: ["a", "a/b", "..a/b..", "a b/ü", ".hidden"])
  func `a relative destination is accepted unchanged`(path: String) throws {
    #expect(try HandlerAnswer.destination(RawPath(path)) == RawPath(path))
  }

  @Test(arguments: [
    ("", "is empty"), ("/etc", "is absolute"), ("..", "contains '..'"), ("a/../../b", "contains '..'"),
    ("a/..", "contains '..'"),
    (".", "contains '.'"), ("a//b", "has an empty component"), ("a/", "has an empty component"),
    ("a\0b", "contains a zero byte"),
    (".dropzone-01/x", "reserved for the daemon"), (String(repeating: "d/", count: 64) + "d", "65 directories deep"),
    (String(repeating: "x", count: 256), "a component of 256 bytes"),
    (String(repeating: "x", count: 4096), "has 4096 bytes"),
  ])
  func `a destination that leads out of the box is refused with a reason`(path: String, why: String) {
    let flaw = #expect(throws: HandlerAnswer.Flaw.self) { try HandlerAnswer.destination(RawPath(path)) }
    #expect(flaw?.message.contains(why) == true, "\(flaw?.message ?? "")")
    #expect(flaw?.message.hasPrefix("`destination`") == true)
  }

  @Test(arguments: [
    ("", "is empty"), ("a/b", "contains a slash"), ("/", "contains a slash"), ("..", "contains '..'"),
    (".", "contains '.'"),
    ("a\0", "contains a zero byte"), (".dropzone-01", "reserved for the daemon"),
    (String(repeating: "x", count: 256), "256 bytes"),
  ])
  func `a name must be a single component`(name: String, why: String) {
    let flaw = #expect(throws: HandlerAnswer.Flaw.self) { try HandlerAnswer.name(RawPath(name)) }
    #expect(flaw?.message.contains(why) == true, "\(flaw?.message ?? "")")
  }

  @Test func `a name may have any other bytes`() throws {
    let bytes: [UInt8] = [0xFF, 0x0A, 0x1B]
    #expect(try HandlerAnswer.name(RawPath(bytes: bytes)).bytes == bytes)
  }
}

@Suite struct HandlerOutcomeTests {
  func outcome(_ ending: HandlerEnding, _ answer: HandlerAnswer = HandlerAnswer()) -> HandlerOutcome {
    HandlerOutcome(ending: ending, answer: .success(answer))
  }

  @Test func `only a clean exit is a verdict`() {
    #expect(outcome(.exited(0)) == .accepted(HandlerAnswer()))
    #expect(outcome(.exited(1)) == .rejected("exit status 1"))
    #expect(outcome(.exited(1), HandlerAnswer(reason: "no")) == .rejected("no"))
    #expect(outcome(.exited(75)) == .notYet(nil))
    #expect(outcome(.exited(75), HandlerAnswer(reason: "later")) == .notYet("later"))
    #expect(outcome(.signaled(11)) == .failed("handler failed: signal 11"))
    #expect(outcome(.timedOut) == .failed("handler failed: it timed out"))
    #expect(outcome(.cancelled) == .void)
  }

  @Test(arguments: [126, 127] as [Int32])
  func `a command that cannot be run blocks the zone`(status: Int32) {
    let expected = HandlerOutcome.blocked("the handler's command could not be run: exit status \(status)")
    #expect(outcome(.exited(status)) == expected)
  }

  @Test func `a failure to start is the fault of the command, the payload or the machine`() {
    #expect(outcome(.couldNotStart(.command("gone"))) == .blocked("the handler's command could not be run: gone"))
    #expect(
      outcome(.couldNotStart(.payload("long")))
        == .payloadRefused("the handler could not be given this payload: long"))
    #expect(outcome(.couldNotStart(.machine("full"))) == .wait("the handler could not be started: full"))
  }

  @Test func `an acceptance that forbids is a refusal`() {
    #expect(outcome(.exited(0), HandlerAnswer(operation: .forbidden)) == .rejected("forbidden by the handler"))
    #expect(outcome(.exited(0), HandlerAnswer(reason: "no", operation: .forbidden)) == .rejected("no"))
  }

  @Test func `an invalid answer invalidates an acceptance, but not a refusal`() {
    let flaw = HandlerAnswer.Flaw("`name` is empty", reason: "spam")
    #expect(
      HandlerOutcome(ending: .exited(0), answer: .failure(flaw))
        == .failed("the handler's answer cannot be used: `name` is empty"))
    #expect(HandlerOutcome(ending: .exited(1), answer: .failure(flaw)) == .rejected("spam"))
    #expect(HandlerOutcome(ending: .exited(75), answer: .failure(flaw)) == .notYet("spam"))
  }
}
