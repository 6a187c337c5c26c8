import DropControl
import DropEngine
import DropSystem

/// Runs declared zones with their control socket until the process is told to stop.
package struct ZoneServer: Sendable {
  package static let version = "0.1.0"

  private let state: String
  private let socket: String
  private let declare: @Sendable () async throws -> [ZoneDeclaration]

  package init(
    state: String, socket: String, declare: @escaping @Sendable () async throws -> [ZoneDeclaration]
  ) {
    self.state = state
    self.socket = socket
    self.declare = declare
  }

  /// What a signal, or the end of the caller's task, asks for.
  package enum Request: Sendable { case reload, stop }

  /// Serves until `requests` say stop or end; throws what keeps it from starting, or from going on.
  package func run(_ requests: AsyncStream<Request>) async throws(OpeningError) {
    let zones = try RunningZones(state: state, declare: declare)
    try await zones.open()
    let server: ControlServer
    do {
      let listening = try ControlSocket(at: RawPath(socket), group: ControlRights.adminGroup)
      server = try ControlServer(
        on: listening, serving: ZonesDesk(zones: zones, version: Self.version), version: Self.version)
    } catch {
      await zones.stop()
      throw OpeningError("the control socket '\(Escaping.escape(socket))': \(error)")
    }
    let failure = await withTaskGroup(of: String?.self) { group in
      let serving = Task { await server.run() }
      group.addTask {
        for await request in requests {
          if request == .stop { break }
          do throws(OpeningError) {
            try await zones.reload()
          } catch {
            StandardStream.error.write("the configuration stays as it is: \(error)")
          }
        }
        return nil
      }
      group.addTask {
        for await failure in zones.failure { return failure }
        return nil
      }
      let failure = await group.next() ?? nil
      await zones.stop()
      serving.cancel()
      await serving.value
      group.cancelAll()
      return failure
    }
    if let failure { throw OpeningError(failure) }
  }
}
