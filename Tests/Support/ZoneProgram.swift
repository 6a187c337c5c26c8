package import DropEngine

/// A program that serves its own zones, as a process in a scratch directory.
package struct ZoneProgram: Sendable {
  package let scratch: Scratch
  package let control: ControlProbe
  private let words: [String]
  private let input: RawPath

  /// - Parameters:
  ///   - words: Its path and arguments.
  ///   - socket: Its control socket.
  ///   - input: The file that it reads from.
  package init(_ words: [String], socket: RawPath, input: RawPath = "/dev/null", in scratch: Scratch) {
    self.words = words
    self.input = input
    self.scratch = scratch
    control = ControlProbe(socket: socket, scratch: scratch)
  }

  /// Runs `body` while the program serves its zones.
  package func whileServing<Result>(_ body: (ZoneProgram) async throws -> Result) async throws -> Result {
    let command = try await start()
    do {
      let result = try await body(self)
      await stop(command)
      return result
    } catch {
      await stop(command)
      throw error
    }
  }

  /// Starts it and returns once its socket answers.
  package func start() async throws -> Command {
    let command = try launch()
    let clock = ContinuousClock()
    let limit = clock.now + .seconds(60)
    while clock.now < limit {
      if control.socket.exists, (try? await control.status()) != nil { return command }
      guard command.isRunning else { break }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw Command.Failure(description: "no answer: \(said)")
  }

  package func launch() throws -> Command {
    // A pipe that is opened for reading and writing does not wait for the other end.
    let start = "exec \"$0\" \"$@\" 0<> \(input) >> \(output) 2>> \(errors)"
    return try Command(["/bin/sh", "-c", start] + words)
  }

  @discardableResult package func stop(_ command: Command) async -> Command.Exit {
    command.sendToGroup(.terminate)
    return await command.exit(within: .seconds(15))
  }

  private var output: RawPath { scratch.path.appending("output") }
  private var errors: RawPath { scratch.path.appending("errors") }

  /// The lines that it printed.
  package var lines: [String] { output.exists ? output.lines() : [] }
  /// The end of what it wrote to standard error.
  package var said: String { errors.exists ? errors.lines().suffix(20).joined(separator: "\n") : "" }

  /// Runs a script in the scratch directory.
  @discardableResult package func shell(_ script: String) async throws -> String {
    let result = try await Command.run(["/bin/sh", "-c", "cd '\(scratch.string)' && \(script)"], in: scratch)
    return String(decoding: result.output, as: UTF8.self)
  }

  /// The outcome of each payload, by location.
  package func outcomes() async throws -> [String: String] {
    Dictionary(
      try await control.history().map { receipt in
        (
          receipt.location,
          [receipt.outcome.rawValue, receipt.reason?.message].compactMap { $0 }.joined(separator: ": ")
        )
      }
    ) { $1 }
  }

  /// Waits until `condition` is true, and checks it every 20 ms.
  package func until(_ limit: Duration = .seconds(30), _ condition: () async throws -> Bool) async throws -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + limit
    while clock.now < end {
      if try await condition() { return true }
      try await Task.sleep(for: .milliseconds(20))
    }
    return try await condition()
  }
}
