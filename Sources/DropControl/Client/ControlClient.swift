package import DropEngine
package import DropSystem

/// Talks to a daemon over its control socket, and waits for the answers.
///
///     let client = try ControlClient(at: "/run/dropzone/control")
///     let report = try client.list([])
///
/// One call at a time. After `start` the replies are read with `next` until the last.
package final class ControlClient {
  private let socket: UnixSocket
  private var input = MessageBuffer(limit: 256 << 20)
  /// Whether replies to the call in hand are still to come.
  package private(set) var isOpen = false

  package init(at path: RawPath) throws(ControlClientError) {
    do throws(Errno) {
      let directory = path.bytes.contains(.slash) ? path.parent : "."
      let place = try FileDescriptor.open(directory.isEmpty ? "/" : directory, [.pathOnly, .directory])
      let socket = try UnixSocket()
      try Self.connect(socket, to: path.lastComponent, in: place.number)
      self.socket = socket
    } catch {
      throw .notThere(path, error)
    }
  }

  private static func connect(_ socket: borrowing UnixSocket, to name: RawPath, in directory: Int32) throws(Errno) {
    for _ in 0..<100 {
      do throws(Errno) {
        return try socket.connect(to: name, in: directory)
      } catch .again {
        // The daemon has yet to take those who came before; there is nothing to wait on but time.
        var pause = PollSet()
        _ = try pause.wait(atMost: .milliseconds(50))
      }
    }
    throw .again
  }

  /// The socket, to wait for a reply beside other things.
  package var number: Int32 { socket.number }

  /// Calls a method and returns its one reply.
  package func call<Result: Decodable>(
    _ member: String, _ parameters: some Encodable, returning type: Result.Type = Result.self
  ) throws(ControlClientError) -> Result {
    try send(Call(method: ZonesInterface.name + "." + member, parameters: parameters, more: nil))
    guard let result = try next(type) else { throw .closed }
    return result
  }

  /// Calls a method that replies more than once.
  package func start(_ member: String, _ parameters: some Encodable) throws(ControlClientError) {
    try send(Call(method: ZonesInterface.name + "." + member, parameters: parameters, more: true))
  }

  /// The next reply; nil when there is none within `timeout`.
  package func next<Result: Decodable>(
    _ type: Result.Type = Result.self, atMost timeout: Duration? = nil
  ) throws(ControlClientError) -> Result? {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      if let message = input.next() { return try read(message) }
      guard try receive(atMost: deadline.map { $0 - .now }) else { return nil }
    }
  }

  private func read<Result: Decodable>(_ message: [UInt8]) throws(ControlClientError) -> Result {
    do {
      let reply = try VarlinkJSON.decode(ReceivedReply<Result>.self, from: message)
      isOpen = reply.continues
      return reply.parameters
    } catch let error as VarlinkError {
      isOpen = false
      throw .refused(error)
    } catch {
      throw .garbled
    }
  }

  /// Returns false at the timeout.
  private func receive(atMost timeout: Duration?) throws(ControlClientError) -> Bool {
    do throws(Errno) {
      while true {
        if let bytes = try socket.receive(1 << 16) {
          guard !bytes.isEmpty else { throw .connectionReset }
          input.append(bytes)
          return true
        }
        if let timeout, timeout <= .zero { return false }
        var set = PollSet()
        set.add(socket.number, .input)
        let ready = try set.wait(atMost: timeout)
        if timeout != nil, ready.allSatisfy(\.isEmpty) { return false }
      }
    } catch {
      throw .closed
    }
  }

  private func send(_ call: some Encodable) throws(ControlClientError) {
    guard let text = try? VarlinkJSON.encode(call) else { throw .garbled }
    let message = text + [0]
    var rest = message[...]
    do throws(Errno) {
      while !rest.isEmpty {
        let sent = try socket.send(rest)
        rest = rest.dropFirst(sent)
        if sent == 0 {
          var set = PollSet()
          set.add(socket.number, .output)
          _ = try set.wait()
        }
      }
    } catch {
      // Who refuses a client says why before it closes: that is to be read yet.
      if !input.hasMessage(), (try? receive(atMost: .zero)) != true { throw .closed }
    }
    isOpen = true
  }

  private struct Call<Parameters: Encodable>: Encodable {
    let method: String
    let parameters: Parameters
    let more: Bool?
  }
}

/// Why there is no answer, or not the one that was asked for.
package enum ControlClientError: Error, Hashable, Sendable {
  /// No daemon answers at this path.
  case notThere(RawPath, Errno)
  /// It went away in the middle.
  case closed
  /// It says what no daemon of this kind says.
  case garbled
  case refused(VarlinkError)
}
