package import DropEngine
package import DropSystem
internal import Synchronization

/// Answers on the control socket.
///
///     let server = try ControlServer(on: socket, serving: zones, version: "1.0")
///     await server.run()
///
/// One thread owns the connections and sleeps while nothing happens on them; each call is answered
/// in a task of its own, so that no client waits for another.
package final class ControlServer: Sendable {
  let socket: ControlSocket
  let rights: ControlRights
  let limits: ControlLimits
  private let service: ZonesService
  private let wake: WakeUp
  private let stopping = Atomic(false)
  private let requests: AsyncStream<Request>
  private let received: AsyncStream<Request>.Continuation

  /// A message, and who is to be answered.
  struct Request: Sendable {
    let client: Client
    let message: [UInt8]
  }

  package init(
    on socket: consuming ControlSocket, serving control: any ZonesControl, version: String,
    rights: ControlRights = .current, limits: ControlLimits = ControlLimits()
  ) throws(Errno) {
    let wake = try WakeUp()
    self.wake = wake
    self.socket = socket
    self.rights = rights
    self.limits = limits
    service = ZonesService(control: control, version: version, limits: limits)
    // One call a client at most is in hand, so this is bounded by their number.
    (requests, received) = AsyncStream.makeStream(of: Request.self, bufferingPolicy: .unbounded)
  }

  /// Serves until the task is cancelled; then calls in hand are answered with `Stopping` and the
  /// connections are closed. The socket's file goes with the server.
  package func run() async {
    let ended = startThread()
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        for await request in requests {
          group.addTask { await self.service.answer(request) }
        }
      }
    } onCancel: {
      stopping.store(true, ordering: .sequentiallyConsistent)
      wake.signal()
    }
    await ended.value
  }

  /// The thread ends by itself once `stopping` is set and the clients have their answers.
  private func startThread() -> Task<Void, Never> {
    // Not a child: it has to wait though the task that serves is cancelled.
    Task {
      await BlockingPool(name: "control", limit: 1).run {
        var loop = ServerLoop(self)
        loop.run()
      }
    }
  }

  // The thread, and through `Client` the tasks.

  func signal() { wake.signal() }

  func clearSignal() { wake.clear() }

  var wakeNumber: Int32 { wake.number }

  var isStopping: Bool { stopping.load(ordering: .sequentiallyConsistent) }

  func receive(_ message: [UInt8], from client: Client) {
    guard case .terminated = received.yield(Request(client: client, message: message)) else { return }
    client.send(VarlinkReply.failure(VarlinkError(.stopping)))
    client.finish(ending: true)
  }
}
