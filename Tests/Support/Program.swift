internal import CLinux
package import DropEngine
internal import DropSystem
internal import Glibc
internal import Synchronization

/// A program that a test runs, with access to its output.
package final class Program: Sendable {
  package let process: Int32
  private let output: FileDescriptor
  private let errors: FileDescriptor
  private let pending = Mutex<[UInt8]>([])

  /// The exit status and output of a program.
  package struct Result: Sendable {
    /// The exit status, or 128 plus the number of the signal that killed it.
    package let status: Int32
    package let output: String
    package let errors: String
  }

  /// Starts `path` with no input. `environment` is added to the test's own; an empty value removes a variable.
  package init(_ path: String, _ arguments: [RawPath], environment: [String: String] = [:]) throws {
    let outputEnds = try Self.pipe()
    output = FileDescriptor(adopting: outputEnds.read)
    let outputEnd = FileDescriptor(adopting: outputEnds.write)
    let errorsEnds = try Self.pipe()
    errors = FileDescriptor(adopting: errorsEnds.read)
    let errorsEnd = FileDescriptor(adopting: errorsEnds.write)
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, outputEnd.number, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, errorsEnd.number, 2)
    var words = unsafe ([RawPath(path)] + arguments).map { word in unsafe word.withCString { unsafe strdup($0) } }
    unsafe words.append(nil)
    defer { unsafe words.forEach { unsafe free($0) } }
    var variables = unsafe Self.merged(environment).map { unsafe strdup($0) }
    unsafe variables.append(nil)
    defer { unsafe variables.forEach { unsafe free($0) } }
    // Threads that run tasks block signals, and the program must not inherit this.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var process: pid_t = 0
    let failure = unsafe posix_spawn(&process, path, &actions, &attributes, words, variables)
    guard failure == 0 else { throw Errno(failure) }
    self.process = process
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else { throw Errno.last }
    return (ends[0], ends[1])
  }

  private static func merged(_ changes: [String: String]) -> [String] {
    var lines: [String] = []
    var index = 0
    while let line = unsafe environ[index] {
      let text = unsafe String(cString: line)
      if changes[String(text.prefix { $0 != "=" })] == nil { lines.append(text) }
      index += 1
    }
    return lines + changes.filter { !$0.value.isEmpty }.map { "\($0.key)=\($0.value)" }
  }

  /// Runs a program until it ends.
  @discardableResult
  package static func run(
    _ path: String, _ arguments: [RawPath], environment: [String: String] = [:]
  ) async throws -> Result {
    try await Program(path, arguments, environment: environment).end()
  }

  /// Reads the remaining output and waits for the end. If the test is cancelled, kills the program.
  package func end() async throws -> Result {
    try await withTaskCancellationHandler {
      try await readToEnd()
    } onCancel: {
      send(SIGKILL)
    }
  }

  private func readToEnd() async throws -> Result {
    async let errors = offPool { [self] in try Self.all(of: self.errors) }
    let output = try await offPool { [self] in self.pending.withLock { $0 } + (try Self.all(of: self.output)) }
    let status = try await offPool { [self] in try self.wait() }
    return Result(
      status: status, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: try await errors, as: UTF8.self))
  }

  /// Returns the next line that it prints; nil at the end.
  package func line() async throws -> String? {
    try await withTaskCancellationHandler {
      try await readLine()
    } onCancel: {
      send(SIGKILL)
    }
  }

  private func readLine() async throws -> String? {
    try await offPool { [self] in
      while true {
        let line = pending.withLock { pending -> [UInt8]? in
          guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
          defer { pending.removeFirst(end + 1) }
          return Array(pending[..<end])
        }
        if let line { return String(decoding: line, as: UTF8.self) }
        let more = try Self.some(of: output)
        if more.isEmpty { return nil }
        pending.withLock { $0 += more }
      }
    }
  }

  package func send(_ signal: Int32) { kill(process, signal) }

  private func wait() throws -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard Errno.last == .interrupted else { throw Errno.last }
    }
    return clinux_exited(status) != 0 ? clinux_exit_code(status) : 128 + clinux_signal(status)
  }

  private static func all(of descriptor: borrowing FileDescriptor) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = try some(of: descriptor)
      if more.isEmpty { return bytes }
      bytes += more
    }
  }

  private static func some(of descriptor: borrowing FileDescriptor) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = unsafe read(descriptor.number, &buffer, buffer.count)
      if got >= 0 { return Array(buffer.prefix(got)) }
      guard Errno.last == .interrupted else { throw Errno.last }
    }
  }
}
