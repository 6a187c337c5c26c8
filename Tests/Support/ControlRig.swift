package import DropControl
package import DropEngine
internal import DropSystem

/// A control server that runs on its own socket during a test.
package struct ControlRig: Sendable {
  package let zones: ScriptedZones
  package let scratch: ScratchDirectory
  package var path: RawPath { RawPath(scratch.appending("control")) }

  /// Serves `zones` while `body` runs.
  package static func run(
    _ zones: ScriptedZones = ScriptedZones(), rights: ControlRights = .current, limits: ControlLimits = ControlLimits(),
    openToAll: Bool = false, _ body: @escaping @Sendable (ControlRig) async throws -> Void
  ) async throws {
    let rig = ControlRig(zones: zones, scratch: try ScratchDirectory())
    let socket = try ControlSocket(at: rig.path, group: "dropzone-admin")
    if openToAll { try await Program.run("/bin/chmod", ["666", rig.path]) }
    let server = try ControlServer(on: socket, serving: zones, version: "1.0", rights: rights, limits: limits)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await server.run() }
      try await body(rig)
      group.cancelAll()
    }
  }
}
