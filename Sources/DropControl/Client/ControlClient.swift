package import DropEngine
package import DropSystem

/// Calls a daemon over its control socket, and waits for the replies.
///
///     let client = try ControlClient(at: "/run/dropzone/control")
///     let report = try client.list([])
///
/// Make one call at a time. After `start`, read the replies with `next` until the last one.
package final class ControlClient {
  private let socket: UnixSocket
  private var input = MessageBuffer(limit: 256 << 20)

  package init(at path: RawPath) throws(ControlClientError) {
    do throws(Errno) {
      let directory = path.bytes.contains(.slash) ? path.parent : "."
      let place = try FileDescriptor.open(directory.isEmpty ? "/" : directory, [.pathOnly, .directory])
      let socket = try UnixSocket()
      try Self.connect(socket, to: path.lastComponent, in: place.number)
      self.socket = socket
    } catch {
      throw .cannotConnect(path, error)
    }
  }

  private static func connect(_ socket: borrowing UnixSocket, to name: RawPath, in directory: Int32) throws(Errno) {
    for _ in 0..<100 {
      do throws(Errno) {
        return try socket.connect(to: name, in: directory)
      } catch .again {
        // The daemon's backlog is full, and there is no event to wait for, so wait a moment and try again.
        var pause = PollSet()
        _ = try pause.wait(atMost: .milliseconds(50))
      }
    }
    throw .again
  }

  /// The socket's descriptor, for callers that wait for a reply and for other events.
  package var number: Int32 { socket.number }

  /// Calls a method and returns its only reply.
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

  /// Returns the next reply; nil if none arrives within `timeout`.
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

      return reply.parameters
    } catch let error as VarlinkError {

      throw .refused(error)
    } catch {
      throw .invalidReply
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
    guard let text = try? VarlinkJSON.encode(call) else { throw .invalidReply }
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
      // A server that refuses a client says why before it closes the connection, and this can still be read.
      if !input.hasMessage(), (try? receive(atMost: .zero)) != true { throw .closed }
    }

  }

  private struct Call<Parameters: Encodable>: Encodable {
    let method: String
    let parameters: Parameters
    let more: Bool?
  }
}

/// An error that prevented a call or that the daemon returned.
package enum ControlClientError: Error, Hashable, Sendable {
  /// There is no daemon at this path, or it cannot be reached.
  case cannotConnect(RawPath, Errno)
  /// The daemon closed the connection.
  case closed
  /// A message is not one of this interface.
  case invalidReply
  /// The daemon returned an error.
  case refused(VarlinkError)
}
