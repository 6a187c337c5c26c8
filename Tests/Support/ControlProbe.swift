package import DropEngine
internal import FoundationEssentials

/// Queries a daemon as a script would, through the command-line client and its JSON.
package struct ControlProbe: Sendable {
  package let socket: RawPath
  private let scratch: Scratch

  package init(socket: RawPath, scratch: Scratch) {
    self.socket = socket
    self.scratch = scratch
  }

  /// Runs one command of the client.
  package func ask(_ words: [String], limit: Duration = .seconds(60)) async throws -> (
    exit: Command.Exit, text: [UInt8]
  ) {
    let answer = try await Command.run(
      [Executables.client, "--socket", socket.description] + words, in: scratch, limit: limit)
    return (answer.exit, answer.output)
  }

  package func status() async throws -> StatusReport {
    try JSONText.decode(StatusReport.self, try await ask(["status", "--json"]).text)
  }

  /// All receipts, oldest first.
  package func history() async throws -> [Receipt] {
    try JSONText.decodeLines(Receipt.self, try await ask(["history", "--json"]).text)
  }

  /// Waits until nothing is targeted or in hand; returns false at the timeout.
  package func wait(_ seconds: Int = 90) async throws -> Bool {
    try await ask(["wait", "--timeout", "\(seconds)s"], limit: .seconds(seconds + 10)).exit == .code(0)
  }
}

/// Decodes the JSON that the client prints.
package enum JSONText {
  package static func decode<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw Command.Failure(
        description: "no \(type): \(error) in \(String(decoding: bytes.prefix(2000), as: UTF8.self))")
    }
  }

  /// Decodes one value per line.
  package static func decodeLines<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) throws -> [Value] {
    try bytes.split(separator: UInt8(ascii: "\n")).map { try decode(type, Array($0)) }
  }
}
