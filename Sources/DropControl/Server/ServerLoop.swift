internal import DropSystem

/// The connections of a control server. Lives on one thread, and does nothing that could block it but wait.
struct ServerLoop {
  private let server: ControlServer
  private var connections: [Connection] = []
  /// Out of descriptors: nobody is let in before.
  private var accepting = ContinuousClock.now
  private var deadline: ContinuousClock.Instant?

  init(_ server: ControlServer) {
    self.server = server
  }

  mutating func run() {
    while true {
      if server.isStopping, deadline == nil { deadline = .now + .seconds(1) }
      for connection in connections { connection.advance(isStopping: deadline != nil) }
      connections.removeAll { $0.isOver }
      if let deadline, connections.isEmpty || .now >= deadline { return leave() }
      wait()
    }
  }

  /// Sleeps until something happens, and reads what has come.
  private mutating func wait() {
    let now = ContinuousClock.now
    let accepts = deadline == nil && now >= accepting
    var set = PollSet()
    set.add(server.wakeNumber, .input)
    set.add(server.socket.socket.number, accepts ? .input : [])
    // Who is gone would wake us for ever; its last call wakes us when it is done.
    let watched = connections.filter { !$0.isGone }
    for connection in watched { set.add(connection.number, connection.interest) }
    let next = deadline ?? (accepts ? nil : accepting)
    guard let ready = try? set.wait(atMost: next.map { $0 - now }), ready.count == watched.count + 2 else {
      // No memory for the wait itself; not to be asked for without pause.
      var pause = PollSet()
      _ = try? pause.wait(atMost: .seconds(1))
      return
    }
    if ready[0].contains(.input) { server.clearSignal() }
    for (connection, events) in zip(watched, ready.dropFirst(2)) where !events.isEmpty {
      connection.receive(events)
    }
    if accepts, ready[1].contains(.input) { accept() }
  }

  private mutating func accept() {
    do {
      // A bounded number at once, for the sake of those who are in.
      for _ in 0..<server.limits.connections {
        guard let socket = try server.socket.socket.accept() else { return }
        guard connections.count < server.limits.connections else {
          refuse(socket)
          continue
        }
        // Who it is was noted when it connected; a client that is gone already has no credentials.
        guard let peer = try? socket.peer() else { continue }
        connections.append(Connection(socket, peer, of: server))
      }
    } catch {
      // No descriptor or memory for one more: the client waits in the backlog.
      accepting = .now + .seconds(1)
    }
  }

  private func refuse(_ socket: consuming UnixSocket) {
    _ = try? socket.send(VarlinkReply.failure(.tooManyConnections)[...])
  }

  private func leave() {
    for connection in connections { connection.client.leave() }
  }
}
