/// Opens declared zones and serves them until told to stop, inside any program.
///
///     try await DropZoneService(state: "/var/lib/inbox", socket: "/run/inbox/control") {
///       DropZone("scans", at: "/srv/drop/scans", box: "/srv/box/scans")
///     }.run()
///
/// One process serves zones once: the kernel's events have one reader.
public struct DropZoneService: Sendable {
  private let server: ZoneServer

  /// - Parameters:
  ///   - state: A directory of this service alone, for the ledger; made when it is missing.
  ///   - socket: Where `dropzone` and other programs find it.
  ///   - zones: Asked when it opens.
  public init(
    state: String, socket: String, @ZonesBuilder zones: @escaping @Sendable () async throws -> [DropZone]
  ) {
    server = ZoneServer(state: state, socket: socket) {
      try await zones().map { ZoneDeclaration(settings: $0.settings) }
    }
  }

  /// Serves until the task is cancelled; what is in hand is parked then, and goes on at the next start.
  ///
  /// - Throws: `DropZoneError` when the zones cannot be opened, or the ledger fails for good.
  public func run() async throws(DropZoneError) {
    let (requests, continuation) = AsyncStream.makeStream(of: ZoneServer.Request.self)
    let result = await withTaskCancellationHandler {
      do throws(OpeningError) {
        try await server.run(requests)
        return nil as OpeningError?
      } catch {
        return error
      }
    } onCancel: {
      continuation.finish()
    }
    if let result { throw DropZoneError(result.description) }
  }
}
