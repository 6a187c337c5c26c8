import DropEngine
import DropSystem
import Glibc
import Support
import Testing

/// Tests of commands that cannot be started, or that are started under difficult conditions.
@Suite struct HandlerStartTests {
  @Test func `the kinds of failure to start are distinguished`() throws {
    let scratch = try Scratch()
    func start(_ command: String, _ environment: [(name: String, value: [UInt8])] = []) -> HandlerEnd {
      HandlerProcess.run(
        command: [command, "/hold/id"], environment: environment, input: [], timeout: .seconds(30),
        cancellation: Cancellation())
    }
    #expect(start(scratch("missing")).way == .couldNotStart(.noEntry))
    #expect(start("no-such-command-in-any-directory").way == .couldNotStart(.noEntry))
    #expect(start(try scratch.file("plain", mode: 0o644)).way == .couldNotStart(.access))
    #expect(start(scratch.path).way == .couldNotStart(.access))
    #expect(
      start(try scratch.file("noexec", Array("exit 0\n".utf8), mode: 0o755)).way == .couldNotStart(Errno(ENOEXEC)))
    #expect(
      start(try scratch.file("lost", Array("#!/no/such/shell\n".utf8), mode: 0o755)).way == .couldNotStart(.noEntry))
    let long = start("true", [("DROP_LOCATION", [UInt8](repeating: 0x61, count: 133_120))])
    #expect(long.way == .couldNotStart(.tooBig))
    #expect(long.outcome == .payloadRefused("the handler could not be given this payload: Argument list too long"))
    #expect(
      start(scratch("missing")).outcome == .blocked("the handler's command could not be run: No such file or directory")
    )
  }

  @Test func `if there are no free descriptors, the payload waits`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = 8
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      while dup(2) >= 0 {}
      let end = HandlerProcess.run(
        command: ["true"], environment: [], input: [], timeout: .seconds(30), cancellation: Cancellation())
      #expect(end.way == .couldNotStart(.tooManyFiles))
      #expect(end.outcome == .wait("the handler could not be started: Too many open files"))
    }
  }

  @Test func `a daemon without standard descriptors gives its handler all three`() async {
    await #expect(processExitsWith: .success) {
      let report = dup(2)
      close(0)
      close(1)
      close(2)
      let end = HandlerProcess.run(
        command: ["/bin/sh", "-c", "cat; echo two >&2"], environment: [], input: Array("one\n".utf8),
        timeout: .seconds(30), cancellation: Cancellation())
      dup2(report, 2)
      #expect(end.output.head == Array("one\n".utf8))
      #expect(end.errors.head == Array("two\n".utf8))
    }
  }
}
