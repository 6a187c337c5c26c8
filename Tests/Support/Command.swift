internal import Dispatch
package import DropEngine
internal import DropSystem
internal import Glibc
internal import Synchronization

/// A program that a test started, in its own process group.
///
/// It does not inherit the signal mask or ignored signals, because a thread of the test may block signals that the
/// program waits for.
package final class Command: Sendable {
  package let pid: Int32
  private let waiting: Task<Exit, Never>

  /// How a program ended.
  package enum Exit: Hashable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  /// Starts `arguments`, whose first one is the program's path, with its output in the files given.
  ///
  /// - Parameter environment: The whole environment; nothing is inherited.
  package init(
    _ arguments: [String], environment: [String: String] = Command.plainEnvironment, output: RawPath = "/dev/null",
    errors: RawPath = "/dev/null"
  ) throws {
    let pid = try Self.spawn(
      arguments, environment.map { "\($0.key)=\($0.value)" }.sorted(), output: output, errors: errors)
    self.pid = pid
    let queue = DispatchQueue(label: "waits for \(pid)")
    let exit = Promise()
    queue.async { exit.fulfil(Self.wait(for: pid)) }
    waiting = Task { await exit.value() }
  }

  /// Waits until it ends, and returns how.
  package func exit() async -> Exit {
    await waiting.value
  }

  /// Whether it is still running, as far as we can tell without waiting.
  package var isRunning: Bool {
    Glibc.kill(pid, 0) == 0
  }

  package func send(_ signal: Signal) {
    _ = Glibc.kill(pid, signal.rawValue)
  }

  /// Signals its process group, and so everything that it started.
  package func sendToGroup(_ signal: Signal) {
    _ = Glibc.kill(-pid, signal.rawValue)
  }

  package struct Signal: Hashable, Sendable {
    let rawValue: Int32
    package static let terminate = Signal(rawValue: SIGTERM)
    package static let kill = Signal(rawValue: SIGKILL)
    package static let stop = Signal(rawValue: SIGSTOP)
    package static let resume = Signal(rawValue: SIGCONT)
    package static let hangUp = Signal(rawValue: SIGHUP)
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
      self.description = description
    }
  }

  /// The environment that programs get by default.
  package static let plainEnvironment = [
    "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8",
  ]
}

/// A value that one thread sets and a task waits for.
private final class Promise: Sendable {
  private enum State {
    case empty
    case wanted(CheckedContinuation<Command.Exit, Never>)
    case full(Command.Exit)
  }
  private let state = Mutex(State.empty)

  func fulfil(_ exit: Command.Exit) {
    let waiter = state.withLock { state -> CheckedContinuation<Command.Exit, Never>? in
      defer { state = .full(exit) }
      if case .wanted(let waiter) = state { return waiter }
      return nil
    }
    waiter?.resume(returning: exit)
  }

  func value() async -> Command.Exit {
    await withCheckedContinuation { continuation in
      let exit = state.withLock { state -> Command.Exit? in
        if case .full(let exit) = state { return exit }
        state = .wanted(continuation)
        return nil
      }
      if let exit { continuation.resume(returning: exit) }
    }
  }
}

extension Command {
  private static func wait(for pid: Int32) -> Exit {
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { return .code(-1) }
    }
    let signal = status & 0x7F
    return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
  }

  private static func spawn(
    _ arguments: [String], _ environment: [String], output: RawPath, errors: RawPath
  ) throws -> Int32 {
    guard let program = arguments.first else { throw Failure(description: "no program given") }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (number, path) in [(Int32(1), output), (Int32(2), errors)] {
      _ = unsafe path.withCString { path in
        unsafe posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
      }
    }

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    var ordinary = sigset_t()
    unsafe sigemptyset(&ordinary)
    unsafe sigaddset(&ordinary, SIGPIPE)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &ordinary)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var pid: pid_t = 0
    let result = unsafe withStrings(arguments) { argv in
      unsafe withStrings(environment) { envp in
        unsafe posix_spawn(&pid, program, &actions, &attributes, argv, envp)
      }
    }
    guard result == 0 else { throw Failure(description: "cannot start \(program): error \(result)") }
    return pid
  }

  /// Calls `body` with the strings as a C argument list, which is valid until `body` returns.
  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = unsafe strings.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies + [nil])
  }
}

extension Command {
  /// Runs a program until it ends, and returns its output. Ends its whole group at `limit`.
  package static func run(
    _ arguments: [String], environment: [String: String] = plainEnvironment, in scratch: Scratch,
    limit: Duration = .seconds(60)
  ) async throws -> (exit: Exit, output: [UInt8], errors: [UInt8]) {
    let output = scratch.freshPath("out")
    let errors = scratch.freshPath("err")
    let command = try Command(arguments, environment: environment, output: output, errors: errors)
    let exit = await command.exit(within: limit)
    return (exit, try output.contents(), try errors.contents())
  }

  /// Waits until it ends, and returns how. After `limit`, sends its group SIGTERM, and SIGKILL if that does not help.
  package func exit(within limit: Duration) async -> Exit {
    let watchdog = Task {
      try await Task.sleep(for: limit)
      sendToGroup(.terminate)
      try await Task.sleep(for: .seconds(20))
      sendToGroup(.kill)
    }
    defer { watchdog.cancel() }
    return await exit()
  }
}
