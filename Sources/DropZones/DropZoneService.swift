import DropEngine
import DropSystem
import Synchronization

/// Opens declared zones inside any program, and serves them until it is asked to stop.
///
///     try await DropZoneService {
///       DropZone("scans", at: "/srv/drop/scans", box: "/srv/box/scans")
///     }.run()
///
/// A process can run only one service at a time, because only one reader can receive the kernel's events.
public struct DropZoneService: Sendable {
  private let state: String?
  private let socket: String?
  private let declare: @Sendable () async throws -> [DropZone]
  private let requests = Requests()

  /// Passes requests to the service while it is running.
  private final class Requests: Sendable {
    let continuation = Mutex<AsyncStream<ZoneServer.Request>.Continuation?>(nil)
  }

  /// Creates a service for the zones that a closure declares.
  ///
  /// - Parameters:
  ///   - state: The directory for the ledger, which no other service may use. It is created if it is missing. The default
  ///     is the state directory of this user's `dropzoned`.
  ///   - socket: The path of the control socket. The default is the path at which `dropzone` looks for it.
  ///   - zones: Returns the zones. It is called when the service opens, and at every reload.
  public init(
    state: String? = nil, socket: String? = nil,
    @ZonesBuilder zones: @escaping @Sendable () async throws -> some Zones
  ) {
    self.state = state
    self.socket = socket
    declare = { ZonesBuilder.buildExpression(try await zones()) }
  }

  /// Serves the zones until the task is cancelled. Work in progress is then parked, and resumes at the next start.
  ///
  /// - Throws: `DropZoneError` if the zones cannot be opened, or if the ledger fails permanently.
  public func run() async throws(DropZoneError) {
    let server = try server()
    let (stream, continuation) = AsyncStream.makeStream(of: ZoneServer.Request.self)
    let isFirst = requests.continuation.withLock { current in
      guard current == nil else { return false }
      current = continuation
      return true
    }
    guard isFirst else { throw DropZoneError("the service is already running") }
    let result = await withTaskCancellationHandler {
      do throws(OpeningError) {
        try await server.run(stream)
        return nil as OpeningError?
      } catch {
        return error
      }
    } onCancel: {
      continuation.finish()
    }
    requests.continuation.withLock { $0 = nil }
    continuation.finish()
    // This task may be cancelled, so another one answers the reloads that are still waiting.
    await Task {
      for await request in stream {
        if case .reload(let done) = request { done?(OpeningError("the service has stopped")) }
      }
    }.value
    if let result { throw DropZoneError(result.description) }
  }

  /// Reads the zones again. Unchanged zones are not disturbed, and payloads in progress keep the box and the action that
  /// they were claimed for.
  ///
  /// - Throws: `DropZoneError` if the new zones cannot be opened, in which case the old zones stay in force, or if the
  ///   service is not running.
  public func reload() async throws(DropZoneError) {
    let failure: DropZoneError? = await withCheckedContinuation { caller in
      let done: @Sendable (OpeningError?) -> Void = { failure in
        caller.resume(returning: failure.map { DropZoneError($0.description) })
      }
      let result = requests.continuation.withLock { $0?.yield(.reload(done: done)) }
      if case .enqueued? = result { return }
      caller.resume(returning: DropZoneError("the service is not running"))
    }
    if let failure { throw failure }
  }

  private func server() throws(DropZoneError) -> ZoneServer {
    let places = state == nil || socket == nil ? DefaultPlaces(for: .current()) : nil
    guard let state = state ?? places?.state, let socket = socket ?? places?.socket else {
      throw DropZoneError("there is no home directory; give the paths for state and socket")
    }
    if self.socket == nil, let directory = places?.privateDirectory {
      do throws(PrivateDirectoryError) {
        try PrivateDirectory.prepare(RawPath(directory))
      } catch {
        throw DropZoneError("\(error)")
      }
    }
    return ZoneServer(state: state, socket: socket, declare: declare)
  }
}
