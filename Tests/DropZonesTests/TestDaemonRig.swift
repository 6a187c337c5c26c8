import DropEngine
import Support
import Testing

/// A program that declares zones in Swift, as a process of its own below a scratch directory.
struct TestDaemonRig {
  let scratch: Scratch
  let control: ControlProbe
  private let mode: String

  static func with<Result>(
    _ mode: String, _ body: (TestDaemonRig) async throws -> Result
  ) async throws -> Result {
    try await Scratch.with { scratch in
      for name in ["drop", "other"] { try scratch.path.appending(RawPath(name)).makeDirectory() }
      let rig = TestDaemonRig(scratch: scratch, mode: mode)
      let command = try await rig.start()
      do {
        let result = try await body(rig)
        await rig.stop(command)
        return result
      } catch {
        await rig.stop(command)
        throw error
      }
    }
  }

  init(scratch: Scratch, mode: String) {
    self.scratch = scratch
    self.mode = mode
    control = ControlProbe(socket: scratch.path.appending("sock"), scratch: scratch)
  }

  var drop: RawPath { scratch.path.appending("drop") }
  var box: RawPath { scratch.path.appending("box") }
  var rejects: RawPath { scratch.path.appending("box.rejects") }
  private var output: RawPath { scratch.path.appending("output") }
  private var errors: RawPath { scratch.path.appending("errors") }

  /// Starts it and returns once its socket answers.
  func start() async throws -> Command {
    let command = try launch()
    let clock = ContinuousClock()
    let limit = clock.now + .seconds(60)
    while clock.now < limit {
      if control.socket.exists, (try? await control.status()) != nil { return command }
      guard command.isRunning else { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw NoAnswer(said: said)
  }

  struct NoAnswer: Error {
    let said: String
  }

  func launch() throws -> Command {
    let root = scratch.string
    let start = "exec \"$0\" \"$@\" >> \(root)/output 2>> \(root)/errors"
    return try Command([
      "/bin/sh", "-c", start, Executables.directory + "/TestDaemon", "--mode", mode, "--root", root, "--state",
      root + "/state", "--socket", control.socket.description,
    ])
  }

  @discardableResult func stop(_ command: Command) async -> Command.Exit {
    command.sendToGroup(.terminate)
    return await command.exit(within: .seconds(15))
  }

  /// What its functions said, a line each.
  var lines: [String] { output.exists ? output.lines() : [] }
  var said: String { errors.exists ? errors.lines().suffix(20).joined(separator: "\n") : "" }

  /// Puts a file into the zone, whole and under its final name at once.
  func put(_ name: String, _ text: String = "text\n") async throws {
    try await shell("mkdir -p \"$(dirname 'drop/\(name)')\"; printf '\(text)' > .new; mv .new 'drop/\(name)'")
  }

  @discardableResult func shell(_ script: String) async throws -> String {
    let result = try await Command.run(["/bin/sh", "-c", "cd '\(scratch.string)' && \(script)"], in: scratch)
    return String(decoding: result.output, as: UTF8.self)
  }

  /// What became of each payload, by its location.
  func outcomes() async throws -> [String: String] {
    Dictionary(
      try await control.history().map { receipt in
        (
          receipt.location,
          [receipt.outcome.rawValue, receipt.reason?.message].compactMap { $0 }.joined(separator: ": ")
        )
      }
    ) { $1 }
  }

  /// Waits until `condition` holds, asked again at each change that a clock of 20 ms shows.
  func until(_ limit: Duration = .seconds(30), _ condition: () async throws -> Bool) async throws -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while clock.now < end {
      if try await condition() { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return try await condition()
  }

  var zone: ZoneStatus {
    get async throws {
      let report = try await control.status()
      return try #require(report.zones.first { $0.name != "other" })
    }
  }
}
