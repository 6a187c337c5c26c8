internal import DropSystem

/// One connection, as the server's thread sees it.
final class Connection {
  let client: Client
  private let socket: UnixSocket
  private let server: ControlServer
  private var input: MessageBuffer
  /// Nothing more arrives.
  private var isInputOver = false
  private var isHungUp = false
  private(set) var isOver = false

  init(_ socket: consuming UnixSocket, _ peer: PeerCredentials, of server: ControlServer) {
    self.socket = socket
    self.server = server
    input = MessageBuffer(limit: server.limits.message)
    client = Client(mayChange: server.rights.mayChange(peer), limit: server.limits.waiting) { [weak server] in
      server?.signal()
    }
  }

  var number: Int32 { socket.number }

  /// Whether there is nobody at the other end to wait for.
  var isGone: Bool { isHungUp || client.isGone }

  var interest: PollSet.Interest {
    var interest: PollSet.Interest = []
    if !isInputOver, !input.isFull, !client.isEnding { interest.insert(.input) }
    if client.waiting > 0 { interest.insert(.output) }
    return interest
  }

  func receive(_ events: PollSet.Interest) {
    if events.contains(.input), !isInputOver { read() }
    guard !events.isDisjoint(with: .hangUp) else { return }
    isHungUp = true
    // What was sent before the end still counts: a call that wants no reply, then goodbye.
    while !isInputOver, !input.isFull { read() }
    isInputOver = true
    client.leave()
  }

  private func read() {
    do {
      guard let bytes = try socket.receive(1 << 16) else {
        // Nothing there; after a hang-up nothing will come.
        if isHungUp { isInputOver = true }
        return
      }
      if bytes.isEmpty { isInputOver = true } else { input.append(bytes) }
    } catch {
      isInputOver = true
    }
  }

  /// Hands over replies, begins the next call, and notices the end.
  func advance(isStopping: Bool) {
    if !client.isGone { try? client.flush(to: socket) }
    if !isStopping, input.hasMessage() || input.isTooLong(), client.begin() {
      if let message = input.next() {
        return server.receive(message, from: client)
      }
      client.send(VarlinkReply.failure(.messageTooLong))
      client.finish(ending: true)
      if !client.isGone { try? client.flush(to: socket) }
    }
    guard !client.isBusy else { return }
    let isDone = isStopping || client.isEnding || isInputOver && !input.hasMessage()
    isOver = isDone && (client.waiting == 0 || client.isGone)
  }
}
