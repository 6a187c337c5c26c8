internal import FoundationEssentials

/// How messages, and what the tool prints, are written and read.
package enum VarlinkJSON {
  /// One line, slashes as they are, keys sorted but where nobody reads them.
  package static func encode(_ value: some Encodable, sortingKeys: Bool = true) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = sortingKeys ? [.sortedKeys, .withoutEscapingSlashes] : .withoutEscapingSlashes
    return try Array(encoder.encode(value))
  }

  package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }

  /// Bytes in the form in which JSON can carry them.
  package static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
  }

  /// The bytes that `text` stands for; nil when it is not base64.
  package static func bytes(base64 text: String) -> [UInt8]? {
    Data(base64Encoded: text).map { Array($0) }
  }
}
