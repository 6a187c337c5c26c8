internal import DropSystem

/// The connections of a control server, on a thread that does nothing that could block it.
actor ServerLoop {
  /// How long clients may take to read the last replies when the server stops.
  private static let lastReplies = Duration.seconds(1)
  /// How long no client is accepted after there was no descriptor or memory for one.
  private static let pause = Duration.seconds(1)

  private nonisolated let loop: EventLoop
  private let rights: ControlRights
  private let limits: ControlLimits
  private let receive: @Sendable (_ message: [UInt8], Client) -> Void
  private let ended: AsyncStream<Never>.Continuation
  /// The socket that clients connect to; nil once the loop has ended.
  private var socket: ControlSocket?
  private let socketNumber: Int32
  private var connections: [Int: Connection] = [:]
  private var lastConnection = 0
  /// When the loop ends at the latest; nil until it is asked to stop.
  private var end: Duration?

  /// - Parameters:
  ///   - receive: Called with each message of a client, on the loop's thread.
  ///   - ended: Finished once the connections are closed and the socket's file is removed.
  init(
    on socket: consuming ControlSocket, rights: ControlRights, limits: ControlLimits,
    receive: @escaping @Sendable (_ message: [UInt8], Client) -> Void, ended: AsyncStream<Never>.Continuation
  ) throws(Errno) {
    loop = try EventLoop()
    self.rights = rights
    self.limits = limits
    self.receive = receive
    self.ended = ended
    socketNumber = socket.socket.number
    self.socket = consume socket
    loop.onDeadline { [weak self] in self?.assumeIsolated { $0.deadlineReached() } }
    try loop.watch(socketNumber) { [weak self] _ in self?.assumeIsolated { $0.accept() } }
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  nonisolated func start() {
    loop.start(name: "control")
  }

  /// Ends the loop once the clients have read what has been answered.
  nonisolated func requestStop() {
    loop.perform { self.assumeIsolated { $0.stop() } }
  }

  // MARK: - Clients

  private func accept() {
    do throws(Errno) {
      // A bounded number at once, so that the connected clients do not wait.
      for _ in 0..<limits.connections where end == nil {
        guard let client = try nextClient() else { return }
        guard connections.count < limits.connections else {
          refuse(client)
          continue
        }
        // The kernel noted its credentials when it connected; a client that has gone already has none.
        if let peer = try? client.peer() { add(client, peer) }
      }
    } catch {
      // There is no descriptor or memory for one more: the client waits in the backlog.
      loop.watch(socketNumber, insteadFor: [])
      loop.setDeadline(monotonicNow() + Self.pause)
    }
  }

  private func nextClient() throws(Errno) -> UnixSocket? {
    switch socket {
    case .some(let socket): try socket.socket.accept()
    case .none: nil
    }
  }

  private func refuse(_ socket: consuming UnixSocket) {
    _ = try? socket.send(VarlinkReply.failure(.tooManyConnections)[...])
  }

  private func add(_ socket: consuming UnixSocket, _ peer: PeerCredentials) {
    lastConnection += 1
    let number = lastConnection
    let client = Client(mayChange: rights.mayChange(peer), limit: limits.waiting) { [weak self] in self?.wake(number) }
    let connection = Connection(socket, client, messageLimit: limits.message)
    do throws(Errno) {
      try loop.watch(connection.descriptor, for: connection.watchedEvents) { [weak self] events in
        self?.assumeIsolated { $0.handle(events, of: number) }
      }
      connections[number] = connection
    } catch {
      // There is no memory to watch it: the connection is closed with the end of this function.
    }
  }

  // MARK: - Connections

  /// Continues with a connection because its client has a reply, or is gone.
  private nonisolated func wake(_ number: Int) {
    loop.perform { [weak self] in self?.assumeIsolated { $0.handle([], of: number) } }
  }

  private func handle(_ events: DescriptorEvents, of number: Int) {
    guard let connection = connections[number] else { return }
    connection.receive(events)
    advance(connection, number)
    if end != nil, connections.isEmpty { closeAll() }
  }

  private func advance(_ connection: Connection, _ number: Int) {
    if let message = connection.advance(isStopping: end != nil) { receive(message, connection.client) }
    if connection.isFinished {
      loop.unwatch(connection.descriptor)
      connections[number] = nil
    } else if connection.isGone {
      // Its hang-up would wake the loop forever. Its last call wakes the loop once it is answered.
      loop.unwatch(connection.descriptor)
    } else if let events = connection.changedEvents() {
      loop.watch(connection.descriptor, insteadFor: events)
    }
  }

  // MARK: - The end

  private func deadlineReached() {
    if end != nil { return closeAll() }
    loop.watch(socketNumber, insteadFor: .input)
  }

  private func stop() {
    let end = monotonicNow() + Self.lastReplies
    self.end = end
    loop.setDeadline(end)
    loop.watch(socketNumber, insteadFor: [])
    for (number, connection) in connections { advance(connection, number) }
    if connections.isEmpty { closeAll() }
  }

  private func closeAll() {
    for connection in connections.values {
      loop.unwatch(connection.descriptor)
      connection.client.disconnect()
    }
    connections = [:]
    loop.unwatch(socketNumber)
    socket = nil
    loop.stop()
    ended.finish()
  }
}
