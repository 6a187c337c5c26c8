import DropEngine
import DropSystem
import Testing

/// Tests of programs that keep running and are asked line by line.
@Suite struct StreamProcessTests {
  private func process(_ script: String) throws -> StreamProcess {
    try StreamProcess(command: ["/bin/bash", "-c", script], environment: [("DROP_ZONE", Array("z".utf8))])
  }

  /// Sends numbered lines, and returns the answers; stops after `count` answers.
  private func ask(
    _ process: StreamProcess, _ questions: Range<Int>, timeout: Duration = .seconds(30),
    cancellation: Cancellation = Cancellation()
  ) throws(StreamProcess.Failure) -> [String] {
    var answers: [String] = []
    let lines = questions.flatMap { Array("\($0)\n".utf8) }
    try process.ask(lines, timeout: timeout, cancellation: cancellation) { line throws(StreamAnswer.Garbage) in
      let text = String(decoding: line, as: UTF8.self)
      if text == "garbage" { throw StreamAnswer.Garbage(message: "not an answer") }
      answers.append(text)
      return answers.count == questions.count
    }
    return answers
  }

  private func failure(_ body: () throws(StreamProcess.Failure) -> Void) -> StreamProcess.Failure? {
    do throws(StreamProcess.Failure) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  private func end(_ failure: StreamProcess.Failure?) -> HandlerEnd.Way? {
    if case .ended(let end)? = failure { end.way } else { nil }
  }

  @Test func `one process handles one batch after another`() throws {
    let process = try process("while read -r n; do echo \"$$ $n $DROP_ZONE\"; done")
    let first = try ask(process, 0..<3)
    let second = try ask(process, 3..<5)
    #expect(process.isFit)
    #expect(Set((first + second).map { $0.prefix { $0 != " " } }).count == 1, "one process")
    #expect((first + second).map { $0.drop { $0 != " " } } == (0..<5).map { " \($0) z"[...] })
    process.stop()
    #expect(!process.isFit)
  }

  @Test func `more questions than a pipe can hold are answered while they are sent`() throws {
    let process = try process("cat")
    #expect(try ask(process, 0..<50_000).count == 50_000)
    process.stop()
  }

  @Test func `a process that stops reading still answers what it has read`() throws {
    let process = try process("read -r n; exec <&-; sleep 0.2; echo $n; sleep 0.1; echo late")
    #expect(end(failure { () throws(StreamProcess.Failure) in _ = try ask(process, 0..<30_000) }) == .exited(0))
  }

  @Test func `an answer that arrives in pieces is one answer`() throws {
    let process = try process("read -r n; printf a; sleep 0.1; printf 'b\\n'; cat")
    #expect(try ask(process, 0..<1) == ["ab"])
    process.stop()
  }

  @Test func `its exit, its death and its silence are distinguished`() throws {
    func way(_ script: String, timeout: Duration = .seconds(30)) throws -> HandlerEnd.Way? {
      let process = try process(script)
      return end(failure { () throws(StreamProcess.Failure) in _ = try ask(process, 0..<1, timeout: timeout) })
    }
    #expect(try way("exit 3") == .exited(3))
    #expect(try way("kill -9 $$") == .signaled(9))
    #expect(try way("sleep 100", timeout: .milliseconds(200)) == .timedOut)
  }

  @Test func `answers before its death count`() throws {
    var heard: [String] = []
    let process = try process("read -r n; echo $n; read -r n; echo $n; exit 0")
    let failure = failure { () throws(StreamProcess.Failure) in
      try process.ask(Array("1\n2\n3\n".utf8), timeout: .seconds(30), cancellation: Cancellation()) {
        heard.append(String(decoding: $0, as: UTF8.self))
        return false
      }
    }
    #expect(end(failure) == .exited(0))
    #expect(heard == ["1", "2"])
  }

  @Test(arguments: ["echo garbage", "head -c 70000 /dev/zero", "env printf '0\\nmore\\n'"])
  func `a process that prints something else is killed`(script: String) throws {
    let process = try process("read -r n; \(script); sleep 100")
    guard case .garbage? = failure({ () throws(StreamProcess.Failure) in _ = try ask(process, 0..<1) }) else {
      Issue.record("the output was accepted")
      return
    }
  }

  @Test func `single bytes without a line end are not an answer`() throws {
    let process = try process("while printf x; do sleep 0.05; done")
    #expect(
      end(failure { () throws(StreamProcess.Failure) in _ = try ask(process, 0..<1, timeout: .milliseconds(500)) })
        == .timedOut)
  }

  @Test func `a cancellation ends it with TERM`() async throws {
    let process = try process("trap 'exit 0' TERM; echo 0; read -r n; while :; do sleep 0.05; done")
    let cancellation = Cancellation()
    let ended = Task {
      self.end(
        self.failure { () throws(StreamProcess.Failure) in _ = try self.ask(process, 0..<2, cancellation: cancellation)
        })
    }
    cancellation.cancel()
    #expect(await ended.value == .cancelled)
  }

  // MARK: Answers

  private static let id = "01jd7zq0a0000000000000000a"

  private func read(_ text: String) throws(StreamAnswer.Garbage) -> StreamAnswer {
    try StreamAnswer.read(Array(text.utf8))
  }

  @Test func `an answer names its payload, and has one of three verdicts`() throws {
    let accepted = try read(#"{"id": "\#(Self.id)", "verdict": "accepted", "destination": "a/b", "name": "c"}"#)
    #expect(accepted.id.description == Self.id)
    #expect(accepted.outcome == .accepted(HandlerAnswer(destination: "a/b", name: "c")))
    #expect(
      try read(#"{"id": "\#(Self.id)", "verdict": "rejected", "reason": "paid"}"#).outcome == .rejected("paid"))
    #expect(try read(#"{"id": "\#(Self.id)", "verdict": "rejected"}"#).outcome == .rejected("refused by the handler"))
    let later = try read(#"{"id": "\#(Self.id)", "verdict": "not-yet", "retryAfter": 2.5}"#)
    #expect(later.outcome == .notYet(nil))
    #expect(later.retryAfter == .milliseconds(2500))
  }

  @Test func `an invalid answer affects only its payload`() throws {
    for flaw in [#""verdict": "maybe""#, #""verdict": "accepted", "destination": "../x""#] {
      guard case .failed = try read(#"{"id": "\#(Self.id)", \#(flaw)}"#).outcome else {
        Issue.record("accepted: \(flaw)")
        continue
      }
    }
  }

  @Test(arguments: [
    "", "accepted", "[]", "{}", #"{"id": 7, "verdict": "accepted"}"#, #"{"id": "x", "verdict": "accepted"}"#,
  ])
  func `a line that does not name a payload is invalid`(line: String) {
    #expect(throws: StreamAnswer.Garbage.self) { try StreamAnswer.read(Array(line.utf8)) }
  }
}
