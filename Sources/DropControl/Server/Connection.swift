internal import DropSystem

/// One connection, as the server's thread sees it.
final class Connection {
  let client: Client
  private let socket: UnixSocket
  private var input: MessageBuffer
  /// Whether nothing more arrives.
  private var isInputComplete = false
  private var isHungUp = false
  private(set) var isFinished = false
  /// What the loop watches the descriptor for.
  private(set) var watchedEvents = DescriptorEvents.input

  init(_ socket: consuming UnixSocket, _ client: Client, messageLimit: Int) {
    self.socket = socket
    self.client = client
    input = MessageBuffer(limit: messageLimit)
  }

  var descriptor: Int32 { socket.number }

  /// Whether there is no one at the other end to wait for.
  var isGone: Bool { isHungUp || client.isGone }

  /// The events to watch for from now on; nil if they are the same as before.
  func changedEvents() -> DescriptorEvents? {
    var events: DescriptorEvents = []
    if !isInputComplete, !input.isFull, !client.isEnding { events.insert(.input) }
    if client.waiting > 0 { events.insert(.output) }
    guard events != watchedEvents else { return nil }
    watchedEvents = events
    return events
  }

  func receive(_ events: DescriptorEvents) {
    if events.contains(.input), !isInputComplete { read() }
    guard !events.isDisjoint(with: .hangUp) else { return }
    isHungUp = true
    // What was sent before the end still counts: a call that wants no reply, and then the hang-up.
    while !isInputComplete, !input.isFull { read() }
    isInputComplete = true
    client.disconnect()
  }

  private func read() {
    do {
      guard let bytes = try socket.receive(1 << 16) else {
        // There is nothing now; after a hang-up there will be nothing more.
        if isHungUp { isInputComplete = true }
        return
      }
      if bytes.isEmpty { isInputComplete = true } else { input.append(bytes) }
    } catch {
      isInputComplete = true
    }
  }

  /// Sends replies, and returns the next message if it can be answered now.
  func advance(isStopping: Bool) -> [UInt8]? {
    if !client.isGone { try? client.flush(to: socket) }
    if !isStopping, input.hasMessage() || input.isTooLong(), client.begin() {
      if let message = input.next() { return message }
      client.send(VarlinkReply.failure(.messageTooLong))
      client.finish(ending: true)
      if !client.isGone { try? client.flush(to: socket) }
    }
    guard !client.isBusy else { return nil }
    let isDone = isStopping || client.isEnding || isInputComplete && !input.hasMessage()
    isFinished = isDone && (client.waiting == 0 || client.isGone)
    return nil
  }
}
