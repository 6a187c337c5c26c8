internal import DropEngine

/// Log records as lines of text.
enum LogText {
  /// A message as one line without control characters. Names in it are escaped already, so its backslashes stay, unless
  /// something else must be escaped.
  static func line(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && scalar.value != 0x7F
        && (scalar.value < 0x80 || Escaping.escape(String(scalar)).first != "\\")
    }
    return isPlain ? text : Escaping.escape(text)
  }

  /// Compares bytes, because there is a record for every receipt, and a search by characters would dominate its cost.
  private static func contains(_ message: [UInt8], _ value: [UInt8]) -> Bool {
    guard let first = value.first, value.count <= message.count else { return false }
    return (0...(message.count - value.count)).contains {
      message[$0] == first && message[$0..<($0 + value.count)].elementsEqual(value)
    }
  }

  /// `<4>message DROP_ZONE=invoices DROP_LOCATION='two words'`, with the number only if the journal reads it, and
  /// without fields whose value the message contains.
  static func record(_ record: LogRecord, numbered: Bool) -> String {
    let start = numbered ? "<\(record.level.rawValue)>" : record.level.word
    let message = Array(record.message.utf8)
    let fields = record.fields.filter { $0.name != "MESSAGE_ID" }.compactMap { field -> String? in
      let value = Escaping.escape(field.value)
      if !value.isEmpty, contains(message, Array(value.utf8)) { return nil }
      return value.contains(" ") || value.isEmpty ? "\(field.name)='\(value)'" : "\(field.name)=\(value)"
    }
    return ([start + line(record.message)] + fields).joined(separator: " ") + "\n"
  }
}

/// A message with its level and fields.
struct LogRecord: Sendable {
  var level: Log.Level
  var message: String
  var fields: [LogField]
}
