import DropEngine
import DropSystem

/// A client that can send any bytes. It blocks, so use it outside the task pool.
final class RawClient {
  let socket: UnixSocket
  private var arrived: [UInt8] = []

  init(at path: RawPath) throws {
    let directory = try FileDescriptor.open(path.parent, [.pathOnly, .directory])
    socket = try UnixSocket()
    try socket.connect(to: path.lastComponent, in: directory.number)
  }

  /// Sends bytes unchanged; returns false if the connection is closed.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let sent = try? socket.send(rest) else { return false }
      rest = rest.dropFirst(sent)
      if sent == 0 {
        var set = PollSet()
        set.add(socket.number, .output)
        _ = try? set.wait()
      }
    }
    return true
  }

  /// Sends one message.
  @discardableResult
  func send(_ message: String) -> Bool { send(Array(message.utf8) + [0]) }

  /// The next message; nil at the end of the connection.
  func receive() throws -> String? {
    while true {
      if let end = arrived.firstIndex(of: 0) {
        defer { arrived.removeFirst(end + 1) }
        return String(decoding: arrived[..<end], as: UTF8.self)
      }
      var set = PollSet()
      set.add(socket.number, .input)
      _ = try set.wait(atMost: .seconds(20))
      // A reset is also an end: it comes from a server that had not read everything.
      guard let bytes = try? socket.receive(1 << 16), !bytes.isEmpty else { return nil }
      arrived += bytes
    }
  }
}
