internal import CLinux
internal import Glibc

/// The process of a running handler, with our ends of its pipes.
struct HandlerChild: ~Copyable {
  let process: pid_t
  /// Becomes readable when the process exits: pidfd_open(2).
  let exit: FileDescriptor
  /// Non-blocking.
  let output: FileDescriptor
  let errors: FileDescriptor

  /// Starts `command`. Throws the error of execve(2), or a lack of descriptors or memory.
  init(command: [String], environment: [[UInt8]], input: [UInt8]) throws(Errno) {
    let stdin = try Self.file(holding: input)
    try self.init(command: command, environment: environment, standardInput: stdin.number)
  }

  /// Starts `command` with an open file as its standard input.
  init(command: [String], environment: [[UInt8]], standardInput: Int32) throws(Errno) {
    _ = Self.exitStatusesAreKept
    let stdout = try Pipe(nonBlocking: .reader)
    let stderr = try Pipe(nonBlocking: .reader)
    let process = try Self.spawn(
      command.map { Array($0.utf8) }, environment, [standardInput, stdout.writer.number, stderr.writer.number])
    let exit = clinux_pidfd_open(process)
    guard exit >= 0 else {
      let error = Errno.last
      kill(-process, SIGKILL)
      HandlerAttendance.reap(process)
      throw error
    }
    self.process = process
    self.exit = FileDescriptor(adopting: exit)
    output = stdout.keepReader()
    errors = stderr.keepReader()
  }

  /// If the daemon's parent ignored SIGCHLD, so does the daemon, and the kernel would discard exit statuses.
  private static let exitStatusesAreKept: Void = {
    if clinux_is_ignored(SIGCHLD) != 0 { _ = clinux_default_action(SIGCHLD) }
  }()

  /// Creates an unnamed file in memory, positioned at its beginning. Unlike a pipe, it accepts any length at once, so
  /// that a handler that reads nothing cannot block us.
  private static func file(holding bytes: [UInt8]) throws(Errno) -> FileDescriptor {
    let number = unsafe clinux_memory_file("handler input")
    guard number >= 0 else { throw Errno.last }
    let file = try FileDescriptor(adopting: number).clearOfStandard()
    try file.write(bytes)
    guard lseek(file.number, 0, SEEK_SET) == 0 else { throw Errno.last }
    return file
  }
}

/// A pipe whose end for us does not block. The other end does.
struct Pipe: ~Copyable {
  enum End { case reader, writer }

  let reader: FileDescriptor
  let writer: FileDescriptor

  init(nonBlocking end: End) throws(Errno) {
    var ends: [Int32] = [-1, -1]
    try check { unsafe pipe2(&ends, O_CLOEXEC) }
    let first = FileDescriptor(adopting: ends[0])
    let second = FileDescriptor(adopting: ends[1])
    let reader = try first.clearOfStandard()
    let writer = try second.clearOfStandard()
    let ours = end == .reader ? reader.number : writer.number
    try check { clinux_fcntl(ours, F_SETFL, O_NONBLOCK) }
    self.reader = reader
    self.writer = writer
  }

  consuming func keepReader() -> FileDescriptor { reader }
  consuming func keepWriter() -> FileDescriptor { writer }
}

extension FileDescriptor {
  /// Moves the descriptor above 2. A daemon that was started without standard descriptors gets their numbers for its own
  /// files, which would overwrite each other in the child.
  fileprivate consuming func clearOfStandard() throws(Errno) -> FileDescriptor {
    if number > 2 { return self }
    let other = clinux_fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard other >= 0 else { throw Errno.last }
    return FileDescriptor(adopting: other)
  }
}

extension HandlerChild {
  /// Calls posix_spawn(3), which reports the error of execve(2) and does not copy the daemon's memory.
  private static func spawn(
    _ arguments: [[UInt8]], _ environment: [[UInt8]], _ standard: [Int32]
  ) throws(Errno) -> pid_t {
    // A zero byte would end the string early for the child. Names in file systems and key files contain none.
    guard !arguments.isEmpty, !arguments.contains(where: { $0.contains(0) }),
      !environment.contains(where: { $0.contains(0) })
    else { throw .invalid }

    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var failures: [Int32] = []
    for (number, file) in standard.enumerated() {
      failures.append(unsafe posix_spawn_file_actions_adddup2(&actions, file, Int32(number)))
    }
    failures.append(unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3))
    failures.append(unsafe posix_spawn_file_actions_addchdir_np(&actions, "/"))

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    var none = sigset_t()
    unsafe sigfillset(&all)
    unsafe sigemptyset(&none)
    let flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | CLINUX_POSIX_SPAWN_SETSID
    failures.append(unsafe posix_spawnattr_setsigdefault(&attributes, &all))
    failures.append(unsafe posix_spawnattr_setsigmask(&attributes, &none))
    failures.append(unsafe posix_spawnattr_setflags(&attributes, Int16(flags)))
    if let failure = failures.first(where: { $0 != 0 }) { throw Errno(failure) }

    var process: pid_t = 0
    let failure = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { environment in
        // `arguments` is not empty, and argv[0] is also the name to look up in PATH.
        guard let program = unsafe arguments[0] else { return EINVAL }
        return unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, environment)
      }
    }
    guard failure == 0 else { throw Errno(failure) }
    return process
  }

  /// Calls `body` with pointers to the zero-terminated strings, and nil after the last.
  private static func withCStrings<Result>(
    _ strings: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var starts: [Int] = []
    var bytes: [CChar] = []
    for string in strings {
      starts.append(bytes.count)
      bytes.append(contentsOf: string.lazy.map { CChar(bitPattern: $0) })
      bytes.append(0)
    }
    return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      let pointers = unsafe starts.map { start in unsafe buffer.baseAddress.map { unsafe $0 + start } } + [nil]
      return unsafe pointers.withUnsafeBufferPointer { pointers in
        guard let base = pointers.baseAddress else { preconditionFailure("an array that ends in nil is empty") }
        return unsafe body(base)
      }
    }
  }
}
