package import DropEngine

/// A daemon for one test, with its configuration, state and socket in a scratch directory.
package actor DaemonProcess {
  package nonisolated let scratch: Scratch
  package nonisolated let control: ControlProbe
  private let wrapper: [String]
  private let environment: [String: String]
  private var running: Command?
  private var starts = 0

  package nonisolated var config: RawPath { scratch.path.appending("config") }
  package nonisolated var state: RawPath { scratch.path.appending("state") }
  package nonisolated var socket: RawPath { scratch.path.appending("sock") }
  package nonisolated var errors: RawPath { scratch.path.appending("daemon.log") }

  /// Prepares a daemon without starting it.
  ///
  /// - Parameters:
  ///   - zones: The text of each zone file, by name without `.zone`.
  ///   - user: The id of the user it runs as, if that is not the test's own. The scratch directory, and what the daemon
  ///     needs in it, must already belong to that user.
  ///   - faults: Injections for strace(1), each as after `-e inject=`, such as `rename:error=EIO:when=2`.
  ///   - state: The directory of its ledger, if that is not in the scratch directory.
  package init(
    zones: [String: String], in scratch: Scratch, as user: UInt32? = nil, faults: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    self.scratch = scratch
    control = ControlProbe(socket: scratch.path.appending("sock"), scratch: scratch)
    var wrapper: [String] = []
    if let user {
      wrapper += ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
    }
    if !faults.isEmpty {
      // Without --seccomp-bpf, every system call of the daemon would stop in strace and take 20 times longer.
      wrapper += ["/usr/bin/strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"]
      wrapper += faults.flatMap { ["-e", "inject=" + $0] }
    }
    self.wrapper = wrapper
    self.environment = Command.plainEnvironment.merging(environment) { $1 }
    let directory = scratch.path.appending("config")
    try directory.makeDirectory()
    try directory.appending("zones").makeDirectory()
    for (name, text) in zones {
      try directory.appending("zones").appending(RawPath(name + ".zone")).write(text)
    }
  }

  /// Starts it, and returns once its socket answers. If it exits first, throws an error with its output.
  package func start() async throws {
    let command = try launch()
    let clock = ContinuousClock()
    let limit = clock.now + .seconds(60)
    while command.isRunning {
      if socket.exists, (try? await control.status()) != nil { return }
      guard clock.now < limit else { throw Command.Failure(description: "no answer after 60 s. \(said)") }
      try await Task.sleep(for: .milliseconds(20))
    }
    let exit = await command.exit()
    running = nil
    throw Command.Failure(description: "the daemon exited with \(exit) before it answered. \(said)")
  }

  /// Starts it without waiting for an answer, for daemons that are expected to refuse to start.
  package func launch() throws -> Command {
    starts += 1
    let command = try Command(
      wrapper + [
        Executables.daemon, "--config", config.description, "--state", state.description, "--socket",
        socket.description,
      ], environment: environment, output: errors, errors: errors)
    running = command
    return command
  }

  /// Stops it with SIGTERM, and with SIGKILL if it is still running after 15 s.
  @discardableResult package func stop() async -> Command.Exit? {
    guard let command = running else { return nil }
    command.sendToGroup(.resume)
    command.sendToGroup(.terminate)
    let watchdog = Task {
      try await Task.sleep(for: .seconds(15))
      command.sendToGroup(.kill)
    }
    let exit = await command.exit()
    watchdog.cancel()
    running = nil
    return exit
  }

  @discardableResult package func kill() async -> Command.Exit? {
    running?.sendToGroup(.kill)
    defer { running = nil }
    return await running?.exit()
  }

  package func pause() { running?.send(.stop) }
  package func resume() { running?.send(.resume) }
  package func reload() { running?.send(.hangUp) }

  /// Waits for a daemon that is expected to exit on its own.
  package func exit() async -> Command.Exit? {
    defer { running = nil }
    return await running?.exit(within: .seconds(60))
  }

  /// The end of what it wrote to standard error.
  package nonisolated var said: String {
    "Its last output:\n" + errors.lines().suffix(20).joined(separator: "\n")
  }
}
