package import DropEngine
package import DropSystem

/// Answers calls on the control socket.
///
///     let server = try ControlServer(on: socket, serving: zones, version: "1.0")
///     await server.run()
///
/// One thread owns the connections and sleeps while nothing happens on them. Each call is answered in its own task, so
/// no client waits for another.
package final class ControlServer: Sendable {
  private let service: ZonesService
  private let loop: ServerLoop
  private let requests: AsyncStream<Request>
  private let ended: AsyncStream<Never>

  /// A message, and the client to answer.
  struct Request: Sendable {
    let client: Client
    let message: [UInt8]
  }

  package init(
    on socket: consuming ControlSocket, serving control: any ZonesControl, version: String,
    rights: ControlRights = .current, limits: ControlLimits = ControlLimits()
  ) throws(Errno) {
    service = ZonesService(control: control, version: version, limits: limits)
    // A client has at most one call in progress, so the limit of connections bounds this as well.
    let (requests, received) = AsyncStream.makeStream(of: Request.self, bufferingPolicy: .unbounded)
    self.requests = requests
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    self.ended = ended
    loop = try ServerLoop(
      on: socket, rights: rights, limits: limits,
      receive: { message, client in
        // The stream takes no more once the task that serves is cancelled.
        guard case .terminated = received.yield(Request(client: client, message: message)) else { return }
        client.send(VarlinkReply.failure(VarlinkError(.stopping)))
        client.finish(ending: true)
      }, ended: end)
  }

  /// Serves until the task is cancelled, and returns once the server has closed everything.
  ///
  /// A cancellation answers the calls in progress with `Stopping`, closes the connections and removes the socket's file.
  package func run() async {
    loop.start()
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        for await request in requests {
          group.addTask { await self.service.answer(request) }
        }
      }
    } onCancel: {
      loop.requestStop()
    }
    // In a separate task, because a cancelled one would not wait.
    await Task { [ended] in for await _ in ended {} }.value
  }
}
