import DropControl
import DropEngine
import DropFlow
import DropSystem

/// Runs declared zones with their control socket until the process is asked to stop.
struct ZoneServer: Sendable {
  /// How long the state directory may take to answer.
  private static let patience = Duration.seconds(10)

  private let state: String
  private let socket: String
  private let declare: @Sendable () async throws -> [DropZone]

  init(
    state: String, socket: String, declare: @escaping @Sendable () async throws -> [DropZone]
  ) {
    self.state = state
    self.socket = socket
    self.declare = declare
  }

  /// A request from a signal, or from the end of the caller's task.
  enum Request: Sendable {
    /// Reload the zones. `done` gets the reason if the old zones stay in force.
    case reload(done: (@Sendable (OpeningError?) -> Void)?)
    case stop
  }

  /// Serves until `requests` contains a stop, or ends. Throws the reason if it cannot start or continue.
  func run(_ requests: AsyncStream<Request>) async throws(OpeningError) {
    let zones = try await openState()
    do {
      try await zones.open()
      let server = try ControlServer(
        on: try listen(), serving: RunningZonesControl(zones: zones, version: Version.current), version: Version.current
      )
      ServiceManager.ready(status: await zones.summary)
      let failure = await serve(zones, server, requests)
      if let failure { throw OpeningError(failure) }
    } catch let error as OpeningError {
      await zones.stop()
      throw error
    } catch {
      await zones.stop()
      throw OpeningError("cannot use the control socket '\(Escaping.escape(socket))': \(error)")
    }
  }

  private func openState() async throws(OpeningError) -> RunningZones {
    let (state, declare) = (state, declare)
    let zones = try await BlockingPool.fileSystems.answer(within: Self.patience) { () throws(OpeningError) in
      try RunningZones(state: state, declare: declare)
    }
    guard let zones else {
      let limit = Self.patience.components.seconds
      throw OpeningError("the state directory '\(Escaping.escape(state))' has not answered for \(limit) s")
    }
    return zones
  }

  /// Returns the socket that the service manager passed, or a new one.
  private func listen() throws -> ControlSocket {
    var inherited = InheritedSockets.take()
    if let descriptor = inherited.take(named: "control") { return try ControlSocket(inherited: descriptor) }
    return try ControlSocket(at: RawPath(socket), group: ControlRights.adminGroup)
  }

  private func serve(
    _ zones: RunningZones, _ server: ControlServer, _ requests: AsyncStream<Request>
  ) async -> String? {
    let serving = Task { await server.run() }
    let failure = await withTaskGroup(of: String?.self) { group in
      group.addTask {
        var reloading: Task<Void, Never>?
        for await request in requests {
          guard case .reload(let done) = request else { break }
          // Reloads run outside this loop, so that it can receive a stop, and one at a time.
          reloading = Task { [reloading] in
            await reloading?.value
            let failure = await reload(zones)
            done?(failure)
          }
        }
        return nil
      }
      group.addTask {
        for await failure in zones.failure { return failure }
        return nil
      }
      if let interval = ServiceManager.watchdogInterval {
        group.addTask {
          // Notify the service manager only if the event loop still answers.
          while await TimerQueue.shared.sleep(for: interval) {
            _ = await zones.area.watchCount
            ServiceManager.watchdog()
          }
          return nil
        }
      }
      let failure = await group.next() ?? nil
      ServiceManager.stopping()
      // Answer requests while the zones still can; then close them.
      serving.cancel()
      await zones.stop { _ = await result(of: { await serving.value }, within: .seconds(2)) }
      group.cancelAll()
      return failure
    }
    return failure
  }

  private func reload(_ zones: RunningZones) async -> OpeningError? {
    ServiceManager.reloading()
    var failure: OpeningError?
    do throws(OpeningError) {
      try await zones.reload()
    } catch {
      failure = error
      Log.error("the old configuration stays in force: \(error)", .kind(.reloadRefused))
    }
    ServiceManager.ready(status: await zones.summary)
    return failure
  }
}
