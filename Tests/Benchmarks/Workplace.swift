import DropEngine
import Support
internal import FoundationEssentials
internal import Synchronization

/// The directory in which files are created and moved, and the programs that do this.
final class Workplace: Sendable {
  let scratch: Scratch
  let arguments: Arguments
  private let programs: RawPath
  private let leftOut = Mutex<[String]>([])

  /// Compiles the references.
  init(scratch: Scratch, arguments: Arguments) async throws {
    self.scratch = scratch
    self.arguments = arguments
    programs = scratch.path.appending("programs")
    try programs.makeDirectory()
    for name in ["raw", "sender"] { try await compile(name, as: name, "") }
    try await compile("raw", as: "raw-typed", "-DTYPED $(pkg-config --cflags --libs gio-2.0) -lmagic")
    try await compile(
      "promised", as: "raw-promised", "$(pkg-config --cflags --libs gio-2.0 sqlite3 libcrypto) -lmagic")
    try await compile("watches", as: "watches", "-linotifytools")
  }

  private func compile(_ name: String, as program: String, _ flags: String) async throws {
    let command = "cc -O2 -pthread -o \"$1\" \"$2\" \(flags)"
    let made = try await Command.run(
      ["/bin/sh", "-c", command, "cc", self.program(program), Self.sources + "/References/\(name).c"], in: scratch)
    guard made.exit == .code(0) else { throw Failure("cc: " + String(decoding: made.errors, as: UTF8.self)) }
  }

  /// Records that something is not measured, and why; this is not a failure.
  func leaveOut(_ what: String) {
    leftOut.withLock { $0.append(what) }
  }

  func takeLeftOut() -> [String] {
    leftOut.withLock { reasons in
      defer { reasons = [] }
      return reasons
    }
  }

  /// The directory of this file, which also contains the references and peers.
  static let sources = String(#filePath.dropLast("/Workplace.swift".count))

  func program(_ name: String) -> String { programs.appending(RawPath(name)).description }

  /// The number of files to use: `full`, or `quick` if the run only shows that the benchmark works.
  func count(_ full: Int, quick: Int) -> Int { arguments.isQuick ? quick : full }

  /// Calls `body` with new directories, and removes them afterwards.
  func with<Result>(_ body: (Places) async throws -> Result) async throws -> Result {
    try await Scratch.with(in: scratch.path) { scratch in
      try await body(try Places(scratch, sender: program("sender")))
    }
  }
}

/// The directories of one measurement: files are created in `source`, sent to `zone`, and expected in `box`.
struct Places: Sendable {
  let scratch: Scratch
  let source: RawPath
  let zone: RawPath
  let box: RawPath
  private let sender: String

  init(_ scratch: Scratch, sender: String) throws {
    self.scratch = scratch
    self.sender = sender
    source = scratch.path.appending("source")
    zone = scratch.path.appending("zone")
    box = scratch.path.appending("box")
    for directory in [source, zone, box] { try directory.makeDirectory() }
  }

  func make(_ count: Int, in directory: RawPath) async throws {
    _ = try await send(["make", directory.description, String(count)])
  }

  /// Sends files until the first one arrives in the box.
  func probe() async throws {
    _ = try await send(["probe", source.description, zone.description, box.description, "30"])
  }

  /// Sends `count` files as fast as possible; returns the seconds until the last one was in the box.
  func burst(_ count: Int, limit: Int = 900) async throws -> Double {
    try await make(count, in: source)
    let answer = try await ask("burst", count, limit)
    guard answer.arrived == count, let seconds = answer.seconds else {
      throw Failure("\(answer.arrived) of \(count) files arrived within \(limit) s")
    }
    return seconds
  }

  /// Sends each file once the previous one has arrived.
  func single(_ count: Int) async throws -> Delay {
    try await make(count, in: source)
    let answer = try await ask("single", count, 300)
    guard answer.arrived == count, let p50 = answer.p50, let p99 = answer.p99 else {
      throw Failure("\(answer.arrived) of \(count) files arrived")
    }
    return Delay(p50: p50, p99: p99)
  }

  /// How long a daemon takes to send its whole status.
  func status(of socket: RawPath, count: Int) async throws -> Delay {
    let answer = try JSONText.decode(Answer.self, try await send(["status", socket.description, String(count)]))
    return Delay(p50: answer.p50 ?? .nan, p99: answer.p99 ?? .nan)
  }

  /// Percentiles, in seconds.
  struct Delay: Sendable {
    let p50: Double
    let p99: Double
  }

  private struct Answer: Decodable {
    var seconds: Double?
    var p50: Double?
    var p99: Double?
    var arrived: Int
  }

  private func ask(_ mode: String, _ count: Int, _ limit: Int) async throws -> Answer {
    let said = try await send(
      [mode, source.description, zone.description, box.description, String(limit), String(count)], limit: limit + 30)
    return try JSONText.decode(Answer.self, Array(said.split(separator: UInt8(ascii: "\n")).last ?? []))
  }

  private func send(_ words: [String], limit: Int = 600) async throws -> [UInt8] {
    let answer = try await Command.run([sender] + words, in: scratch, limit: .seconds(limit))
    guard answer.exit == .code(0) else {
      throw Failure("sender \(words.first ?? ""): " + String(decoding: answer.errors, as: UTF8.self))
    }
    return answer.output
  }

  /// Waits in the background for files that are already in the zone.
  func await(_ count: Int, limit: Int) async throws -> Awaited {
    let program = try Program(
      sender, ["await", "-", "-", box, RawPath(String(limit)), RawPath(String(count))])
    _ = try await program.line()
    return Awaited(program: program, count: count)
  }

  /// Starts a program that keeps files open and writes to each in turn, and waits until it is ready.
  func writer(of count: Int) async throws -> Program {
    let program = try Program(sender, ["write", zone, RawPath(String(count))])
    guard try await program.line() == "ready" else { throw Failure("the writer did not start") }
    return program
  }

  struct Awaited {
    let program: Program
    let count: Int

    /// Returns the seconds since it began to wait, once all files have arrived.
    func seconds() async throws -> Double {
      let result = try await program.end()
      let answer = try JSONText.decode(Answer.self, Array(result.output.utf8))
      guard answer.arrived == count, let seconds = answer.seconds else {
        throw Failure("\(answer.arrived) of \(count) files arrived")
      }
      return seconds
    }
  }
}
