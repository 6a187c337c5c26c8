internal import FoundationEssentials

/// Encodes and decodes messages and the tool's JSON output.
package enum VarlinkJSON {
  /// Encodes on one line, without escaping slashes. Sorting keys costs time, and only helps human readers.
  package static func encode(_ value: some Encodable, sortingKeys: Bool = true) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = sortingKeys ? [.sortedKeys, .withoutEscapingSlashes] : .withoutEscapingSlashes
    return try Array(encoder.encode(value))
  }

  package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }

  /// Encodes bytes in base64.
  package static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
  }

  /// Decodes base64; nil if `text` is not valid.
  package static func bytes(base64 text: String) -> [UInt8]? {
    Data(base64Encoded: text).map { Array($0) }
  }
}
