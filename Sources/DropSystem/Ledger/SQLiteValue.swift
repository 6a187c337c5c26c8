/// A value for a parameter of a statement.
enum SQLiteValue {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  static func integer(orNull value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
  static func text(orNull text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
  static func blob(orNull bytes: [UInt8]?) -> SQLiteValue { bytes.map { .blob($0) } ?? .null }

  func append(to bytes: inout [UInt8]) {
    switch self {
    case .null, .integer: break
    case .text(let text): bytes += text.utf8
    case .blob(let blob): bytes += blob
    }
  }
}
