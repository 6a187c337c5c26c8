import DropEngine
import Support
import Testing

/// The program that declares zones in Swift for these tests.
typealias TestDaemonRig = ZoneProgram

extension ZoneProgram {
  static func with<Result>(
    _ mode: String, _ body: (TestDaemonRig) async throws -> Result
  ) async throws -> Result {
    try await Scratch.with { scratch in
      for name in ["drop", "other"] { try scratch.path.appending(RawPath(name)).makeDirectory() }
      return try await TestDaemonRig(scratch: scratch, mode: mode).whileServing(body)
    }
  }

  init(scratch: Scratch, mode: String) {
    let (root, socket) = (scratch.string, scratch.path.appending("sock"))
    self.init(
      [
        Executables.directory + "/TestDaemon", "--mode", mode, "--root", root, "--state", root + "/state", "--socket",
        socket.description,
      ], socket: socket, in: scratch)
  }

  var drop: RawPath { scratch.path.appending("drop") }
  var box: RawPath { scratch.path.appending("box") }
  var rejects: RawPath { scratch.path.appending("box.rejects") }

  /// Puts a file into the zone, complete and under its final name at once.
  func put(_ name: String, _ text: String = "text\n") async throws {
    try await shell("mkdir -p \"$(dirname 'drop/\(name)')\"; printf '\(text)' > .new; mv .new 'drop/\(name)'")
  }

  var zone: ZoneStatus {
    get async throws {
      let report = try await control.status()
      return try #require(report.zones.first { $0.name != "other" })
    }
  }
}
