import DropControl
import DropEngine
import DropFlow
import DropSystem

/// Runs declared zones with their control socket until the process is told to stop.
struct ZoneServer: Sendable {
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

  /// What a signal, or the end of the caller's task, asks for.
  enum Request: Sendable {
    /// `done` is told what kept the old zones in force, where something did.
    case reload(done: (@Sendable (OpeningError?) -> Void)?)
    case stop
  }

  /// Serves until `requests` say stop or end; throws what keeps it from starting, or from going on.
  func run(_ requests: AsyncStream<Request>) async throws(OpeningError) {
    let zones = try RunningZones(state: state, declare: declare)
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
      throw OpeningError("the control socket '\(Escaping.escape(socket))': \(error)")
    }
  }

  /// The socket that the service manager listens on, or one of our own.
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
          // Beside this loop, which is to hear of a stop, and one after the other.
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
          // The loop must answer, or the manager hears nothing.
          while await TimerQueue.shared.sleep(for: interval) {
            _ = await zones.area.watchCount
            ServiceManager.watchdog()
          }
          return nil
        }
      }
      let failure = await group.next() ?? nil
      ServiceManager.stopping()
      // What is asked for now is answered while the zones can; then they close.
      serving.cancel()
      await zones.stop { await serving.end(within: .seconds(2)) }
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
      Log.error("the configuration stays as it was: \(error)", .kind(.reloadRefused))
    }
    ServiceManager.ready(status: await zones.summary)
    return failure
  }
}

extension Task<Void, Never> {
  /// Returns when it has ended, or at the limit; also where who waits is cancelled.
  func end(within limit: Duration) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    let timer = Task {
      await TimerQueue.shared.sleep(for: limit)
      continuation.finish()
    }
    Task {
      await value
      continuation.finish()
    }
    await Task { for await _ in stream {} }.value
    timer.cancel()
  }
}
