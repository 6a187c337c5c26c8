import DropEngine
import Support

/// A program that moves files from the zone to the box.
protocol Mover: Sendable {
  var name: String { get }

  /// Runs it on `places`, calls `body` once it is ready, and stops it.
  func run<Result>(on places: Places, _ body: () async throws -> Result) async throws -> Result
}

extension Mover {
  /// Starts a program, waits until it moves files, and kills it after `body`.
  func run<Result>(
    _ command: [String], environment: [String: String] = Command.plainEnvironment, on places: Places,
    _ body: () async throws -> Result
  ) async throws -> Result {
    let log = places.scratch.freshPath("log")
    let running = try Command(command, environment: environment, output: log, errors: log)
    do {
      try await places.probe()
      let result = try await body()
      running.sendToGroup(.kill)
      _ = await running.exit()
      return result
    } catch {
      running.sendToGroup(.kill)
      _ = await running.exit()
      throw Failure("\(name): \(error)\n" + log.lines().suffix(5).joined(separator: "\n"))
    }
  }
}

/// The limits, written in C: a bare loop, and a program that performs only the daemon's steps.
struct RawLoop: Mover {
  enum Kind: String {
    case plain = "raw"
    case durable = "raw-durable"
    case typed = "raw-typed"
    case promised = "raw-promised"
    case promisedDurable = "raw-promised-durable"
  }

  let kind: Kind
  let program: String

  init(_ kind: Kind, _ workplace: Workplace) {
    self.kind = kind
    let program =
      switch kind {
      case .plain, .durable: "raw"
      case .typed: "raw-typed"
      case .promised, .promisedDurable: "raw-promised"
      }
    self.program = workplace.program(program)
  }

  var name: String { kind.rawValue }

  func run<Result>(on places: Places, _ body: () async throws -> Result) async throws -> Result {
    let state = places.scratch.freshPath("state")
    try state.makeDirectory()
    let words: [String] =
      switch kind {
      case .plain: []
      case .durable: ["durable"]
      case .typed: ["typed"]
      case .promised: [state.description]
      case .promisedDurable: [state.description, "durable"]
      }
    return try await run(
      [program, places.zone.description, places.box.description] + words, on: places, body)
  }
}

/// The daemon with one zone.
struct OurDaemon: Mover {
  let name: String
  /// The content of the zone file after `Path` and `Box`.
  var keys = ""

  func run<Result>(on places: Places, _ body: () async throws -> Result) async throws -> Result {
    try await run(on: places) { _ in
      try await places.probe()
      return try await body()
    }
  }

  /// Runs it and passes the daemon to `body`; no file has been sent yet.
  func run<Result>(
    on places: Places, starting: Bool = true, _ body: (DaemonProcess) async throws -> Result
  ) async throws -> Result {
    let zone = "[Zone]\nPath=\(places.zone)\nBox=\(places.box)\n\(keys)\n"
    let daemon = try DaemonProcess(zones: ["files": zone], in: places.scratch)
    do {
      if starting { try await daemon.start() }
      let result = try await body(daemon)
      await daemon.stop()
      return result
    } catch {
      await daemon.kill()
      throw Failure("\(name): \(error)\n\(daemon.said)")
    }
  }
}
