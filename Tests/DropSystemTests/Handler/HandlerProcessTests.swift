import DropEngine
import DropSystem
import Glibc
import Support
import Testing

/// Tests with real commands, pipes and signals.
@Suite struct HandlerProcessTests {
  func handle(
    _ script: String, environment: [(name: String, value: [UInt8])] = [], input: [UInt8] = [],
    timeout: Duration = .seconds(30), cancellation: Cancellation = Cancellation()
  ) -> HandlerEnd {
    HandlerProcess.run(
      command: ["/bin/sh", "-c", script, "handler", "/hold/id.pdf"], environment: environment, input: input,
      timeout: timeout, cancellation: cancellation)
  }

  // MARK: Verdict

  @Test(arguments: [0, 1, 75, 126, 127, 255] as [Int32])
  func `the exit status is reported unchanged`(status: Int32) {
    #expect(handle("exit \(status)").way == .exited(status))
  }

  @Test(arguments: [SIGSEGV, SIGKILL, SIGTERM, SIGPIPE])
  func `death by a signal is not an exit`(signal: Int32) {
    #expect(handle("kill -\(signal) $$").way == .signaled(signal))
    #expect(handle("kill -\(signal) $$").outcome == .failed("handler failed: signal \(signal)"))
  }

  @Test func `the first line of standard output is the reason`() {
    let end = handle("echo 'already paid'; echo more; echo noise >&2; exit 1")
    #expect(end.outcome == .rejected("already paid"))
    #expect(
      end.report == Receipt.HandlerReport(exit: 1, signal: nil, output: #"already paid\u{A}more\u{A} noise\u{A}"#))
  }

  @Test func `an object on the first line chooses the destination`() {
    let end = handle(#"echo '{"reason": "fine", "destination": "2024/may", "name": "a.pdf"}'"#)
    #expect(end.outcome == .accepted(HandlerAnswer(reason: "fine", destination: "2024/may", name: "a.pdf")))
  }

  @Test func `the payload is the last argument, and nothing is expanded`() {
    let end = HandlerProcess.run(
      command: ["printf", "%s|", "$HOME", "*", "a b", "`id`"], environment: [], input: [], timeout: .seconds(30),
      cancellation: Cancellation())
    #expect(String(decoding: end.output.head, as: UTF8.self) == "$HOME|*|a b|`id`|")
  }

  // MARK: Input

  @Test func `bytes that are not valid text are passed through the environment unchanged`() {
    let name: [UInt8] = [0xFF, 0xFE, 0x0A, 0x1B, 0x5B, 0x20, 0x3D, 0x27, 0xC3]
    let end = handle(#"printf %s "$DROP_NAME" | od -An -v -tx1 | tr -d ' \n'"#, environment: [("DROP_NAME", name)])
    #expect(String(decoding: end.output.head, as: UTF8.self) == "fffe0a1b5b203d27c3")
  }

  @Test func `standard input is the whole object, however long it is`() {
    let input = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
    #expect(String(decoding: handle("wc -c", input: input).output.head, as: UTF8.self) == "3000000\n")
  }

  @Test func `a handler that reads nothing does not block anything`() {
    let end = handle("exec <&-; exit 0", input: [UInt8](repeating: 0x78, count: 3_000_000))
    #expect(end.way == .exited(0))
    #expect(end.elapsed < .seconds(60))
  }

  @Test func `it leads its own group and session, in the root directory`() {
    let end = handle("read -r _ _ _ _ group session _ < /proc/$$/stat; echo $((group == $$)) $((session == $$)) $PWD")
    #expect(String(decoding: end.output.head, as: UTF8.self) == "1 1 /\n")
  }

  @Test func `it has only the three standard descriptors`() throws {
    // A descriptor that someone opened without close-on-exec.
    let leak = dup(2)
    defer { close(leak) }
    let end = handle("for f in /proc/$$/fd/*; do echo ${f##*/}; done | sort -n | head -n 3; exit 0")
    let open = handle("ls /proc/$$/fd")
    #expect(end.way == .exited(0))
    #expect(String(decoding: open.output.head, as: UTF8.self) == "0\n1\n2\n")
  }

  @Test func `the variables of the service manager are not passed on`() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("NOTIFY_SOCKET", "/run/nobody", 1)
      unsafe setenv("DROP_TEST", "kept", 1)
      let answer = run(["/bin/sh", "-c", "echo ${NOTIFY_SOCKET-none} $DROP_TEST"])
      #expect(answer.output == "none kept\n")
    }
  }

  @Test func `it starts with default signals, whatever the daemon blocks and ignores`() async {
    await #expect(processExitsWith: .success) {
      var all = sigset_t()
      unsafe sigfillset(&all)
      unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
      signal(SIGPIPE, SIG_IGN)
      signal(SIGCHLD, SIG_IGN)
      // The C library ignores its own two, 32 and 33, in every child.
      let pattern = "^Sig(Blk:.0000000000000000|Ign:.0000000[01][08]0000000)$"
      let answer = run(["grep", "-c", "-E", pattern, "/proc/self/status"])
      #expect(answer.output == "2\n")
      #expect(answer.status == .exited(0))
    }
  }

  // MARK: Output

  @Test(.timeLimit(.minutes(1)))
  func `too much output on both pipes is read and truncated`() {
    let end = handle("yes error | head -c 20000000 >&2; yes out | head -c 20000000; exit 0")
    #expect(end.way == .exited(0))
    #expect(end.output.total == 20_000_000)
    #expect(end.output.head.count == CapturedOutput.limit)
    #expect(end.output.tail.isEmpty)
    #expect(end.errors.total == 20_000_000)
    #expect(end.errors.tail.count == CapturedOutput.limit)
    #expect(end.errors.tail.suffix(6) == Array("ror\ner".utf8))
    #expect(end.errors.cut == 20_000_000 - 2 * Int64(CapturedOutput.limit))
    #expect(end.errors.excerpt(limit: 100).contains("[… 19999900 bytes cut …]"))
  }

  // MARK: Processes left behind

  @Test func `a background child that keeps the pipe open does not delay the verdict`() throws {
    let end = handle("sleep 120 & echo $!; exit 0")
    #expect(end.way == .exited(0))
    #expect(end.leftProcesses)
    #expect(end.elapsed < .seconds(60))
    let child = try #require(pid_t(String(decoding: end.output.firstLine.bytes, as: UTF8.self)))
    #expect(isGone(child))
  }

  @Test func `a child that has closed the pipe and left the group is left alone`() throws {
    let end = handle("setsid sleep 120 >/dev/null 2>&1 & echo $!; exit 0")
    #expect(end.way == .exited(0))
    let child = try #require(pid_t(String(decoding: end.output.firstLine.bytes, as: UTF8.self)))
    kill(child, SIGKILL)
  }

  @Test func `output of a child shortly afterwards is still read`() {
    let end = handle("(sleep 0.05; echo late) & exit 0")
    #expect(String(decoding: end.output.head, as: UTF8.self) == "late\n")
  }

  @Test func `it leaves no zombie, and reaps no other child`() {
    var other: pid_t = 0
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("true"), nil]
    #expect(unsafe posix_spawnp(&other, "true", nil, nil, &arguments, nil) == 0)
    let end = handle("echo $$; kill -9 $$")
    let child = pid_t(String(decoding: end.output.firstLine.bytes, as: UTF8.self)) ?? 0
    #expect(waitpid(child, nil, WNOHANG) == -1)
    #expect(waitpid(other, nil, 0) == other)
    unsafe free(arguments[0])
  }

  // MARK: Stopping

  @Test func `at the timeout, the whole group is killed`() throws {
    let end = handle("trap '' TERM; sleep 120 & echo $!; wait", timeout: .milliseconds(300))
    #expect(end.way == .timedOut)
    #expect(end.elapsed >= .milliseconds(300) && end.elapsed < .seconds(60))
    #expect(
      end.outcome
        == .failed(
          "handler failed: it timed out; its output was: \(String(decoding: end.output.firstLine.bytes, as: UTF8.self))"
        ))
    let child = try #require(pid_t(String(decoding: end.output.firstLine.bytes, as: UTF8.self)))
    #expect(isGone(child))
  }

  @Test func `a cancelled handler gets TERM, and its output then does not count`() async throws {
    let end = try await cancelled("trap 'echo bye; exit 0' TERM; sleep 120 & echo >$READY; wait")
    #expect(end.way == .cancelled)
    #expect(end.outcome == .void)
    #expect(String(decoding: end.output.head, as: UTF8.self).hasSuffix("bye\n"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `a cancelled handler that ignores TERM is killed five seconds later`() async throws {
    let end = try await cancelled("trap '' TERM; echo >$READY; while :; do sleep 0.1; done")
    #expect(end.way == .cancelled)
    #expect(end.elapsed >= .seconds(5) && end.elapsed < .seconds(60))
  }

  /// Runs a script, and cancels it once it has written to the file READY.
  private func cancelled(_ script: String) async throws -> HandlerEnd {
    let cancellation = Cancellation()
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    let reader = FileDescriptor(adopting: ends[0])
    let writer = FileDescriptor(adopting: ends[1])
    let path = "/proc/\(getpid())/fd/\(writer.number)"
    async let end = offPool { [self] in
      handle(script, environment: [("READY", Array(path.utf8))], cancellation: cancellation)
    }
    let number = reader.number
    try await offPool {
      var byte: UInt8 = 0
      unsafe read(number, &byte, 1)
    }
    cancellation.cancel()
    return try await end
  }

  @Test func `nothing is started after the cancellation`() {
    let cancellation = Cancellation()
    cancellation.cancel()
    #expect(handle("exit 0", cancellation: cancellation).way == .cancelled)
  }

  @Test func `cancelling the task stops its handler`() async {
    let task = Task {
      await HandlerProcess.run(command: ["sleep", "120"], environment: [], input: [], timeout: .seconds(60))
    }
    task.cancel()
    #expect(await task.value.way == .cancelled)
  }

  // MARK: Many

  @Test(.timeLimit(.minutes(1)))
  func `many handlers run at once, and each has its own answer`() async {
    await withTaskGroup(of: (Int, HandlerEnd).self) { group in
      for number in 0..<40 {
        group.addTask {
          (
            number,
            await HandlerProcess.run(
              command: ["/bin/sh", "-c", "sleep 0.2; cat; exit \(number)"], environment: [],
              input: Array("\(number)\n".utf8), timeout: .seconds(60))
          )
        }
      }
      for await (number, end) in group {
        #expect(end.way == .exited(Int32(number)))
        #expect(end.output.head == Array("\(number)\n".utf8))
      }
    }
  }

  @Test func `waiting for a handler causes no wake-ups`() async throws {
    let switches = try await offPool { [self] in
      let before = voluntarySwitches()
      #expect(handle("sleep 1").way == .exited(0))
      return voluntarySwitches() - before
    }
    #expect(switches < 20)
  }

  private func voluntarySwitches() -> Int {
    var usage = rusage()
    // RUSAGE_THREAD of getrusage(2), which is visible only with _GNU_SOURCE.
    unsafe getrusage(__rusage_who_t(1), &usage)
    return usage.ru_nvcsw
  }

  private func isGone(_ process: pid_t) -> Bool {
    // A killed child of another test may not have been reaped yet.
    for _ in 0..<100 where kill(process, 0) == 0 {
      if run(["grep", "-q", "^State:.Z", "/proc/\(process)/status"]).status == .exited(0) { return true }
      usleep(10_000)
    }
    return kill(process, 0) != 0
  }
}
