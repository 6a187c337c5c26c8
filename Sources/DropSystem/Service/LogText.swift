internal import DropEngine

/// Log records as lines of text.
enum LogText {
  /// A message as one line that steers nothing. Names in it were escaped when it was made, so backslashes
  /// stay unless something else is wrong.
  static func line(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && scalar.value != 0x7F
        && (scalar.value < 0x80 || Escaping.escape(String(scalar)).first != "\\")
    }
    return isPlain ? text : Escaping.escape(text)
  }

  /// Of bytes, for every receipt is a record: the search in characters takes longer than all the rest.
  private static func says(_ message: [UInt8], _ value: [UInt8]) -> Bool {
    guard let first = value.first, value.count <= message.count else { return false }
    return (0...(message.count - value.count)).contains {
      message[$0] == first && message[$0..<($0 + value.count)].elementsEqual(value)
    }
  }

  /// `<4>message  DROP_ZONE=invoices DROP_LOCATION='two words'`, the number only where somebody reads it, and no
  /// field that the message says already.
  static func record(_ record: LogRecord, numbered: Bool) -> String {
    let start = numbered ? "<\(record.level.rawValue)>" : record.level.word
    let said = Array(record.message.utf8)
    let fields = record.fields.filter { $0.name != "MESSAGE_ID" }.compactMap { field -> String? in
      let value = Escaping.escape(field.value)
      if !value.isEmpty, says(said, Array(value.utf8)) { return nil }
      return value.contains(" ") || value.isEmpty ? "\(field.name)='\(value)'" : "\(field.name)=\(value)"
    }
    return ([start + line(record.message)] + fields).joined(separator: " ") + "\n"
  }
}

/// One thing that was to be said.
struct LogRecord: Sendable {
  var level: Log.Level
  var message: String
  var fields: [LogField]
}
