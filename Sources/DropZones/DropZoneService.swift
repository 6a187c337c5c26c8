import DropEngine
import DropSystem
import Synchronization

/// Opens declared zones and serves them until told to stop, inside any program.
///
///     try await DropZoneService {
///       DropZone("scans", at: "/srv/drop/scans", box: "/srv/box/scans")
///     }.run()
///
/// One process serves zones once: the kernel's events have one reader.
public struct DropZoneService: Sendable {
  private let state: String?
  private let socket: String?
  private let declare: @Sendable () async throws -> [DropZone]
  private let requests = Requests()

  /// The way to the service while it runs.
  private final class Requests: Sendable {
    let continuation = Mutex<AsyncStream<ZoneServer.Request>.Continuation?>(nil)
  }

  /// - Parameters:
  ///   - state: A directory of this service alone, for the ledger; made when it is missing. Where the daemon
  ///     `dropzoned` of this user has it unless said.
  ///   - socket: Where `dropzone` and other programs find it; where `dropzone` looks unless said.
  ///   - zones: Asked when it opens, and at every reload.
  public init(
    state: String? = nil, socket: String? = nil,
    @ZonesBuilder zones: @escaping @Sendable () async throws -> some Zones
  ) {
    self.state = state
    self.socket = socket
    declare = { ZonesBuilder.buildExpression(try await zones()) }
  }

  /// Serves until the task is cancelled; what is in hand is parked then, and goes on at the next start.
  ///
  /// - Throws: `DropZoneError` when the zones cannot be opened, or the ledger fails for good.
  public func run() async throws(DropZoneError) {
    let server = try server()
    let (stream, continuation) = AsyncStream.makeStream(of: ZoneServer.Request.self)
    let isFirst = requests.continuation.withLock { current in
      guard current == nil else { return false }
      current = continuation
      return true
    }
    guard isFirst else { throw DropZoneError("the service is running already") }
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
    // Not in this task, which may be cancelled: nobody is left waiting for a reload.
    await Task {
      for await request in stream {
        if case .reload(let done) = request { done?(OpeningError("the service has ended")) }
      }
    }.value
    if let result { throw DropZoneError(result.description) }
  }

  /// Asks for the zones again; those that are as they were go on undisturbed, and what is in hand keeps the box and the
  /// action it was claimed for.
  ///
  /// - Throws: `DropZoneError` when they cannot be opened, and the old ones stay in force; or when nothing runs.
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
      throw DropZoneError("there is no home directory; say where state and socket are to be")
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
