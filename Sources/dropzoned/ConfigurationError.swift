internal import DropEngine

/// One thing that is wrong, or odd, in a configuration, and where.
struct ConfigurationError: Error, Hashable, Sendable {
  var file: String
  var line: Int?
  var group: String?
  var key: String?
  var value: String?
  var problem: String
  /// What was probably meant.
  var nearest: String?
}

extension ConfigurationError: CustomStringConvertible {
  /// `FILE:LINE: [Group] Key=value: what is wrong; did you mean 'this'?` in one line.
  var description: String {
    var text = file
    if let line { text += ":\(line)" }
    text += ":"
    if let group { text += " [\(Self.shown(group))]" }
    if let key { text += " \(Self.shown(key))=\(value.map(Self.shown) ?? "")" }
    if group != nil || key != nil { text += ":" }
    text += " \(problem)"
    if let nearest { text += "; did you mean '\(nearest)'?" }
    return text
  }

  private static func shown(_ text: String) -> String {
    Escaping.escape(Array(text.utf8.prefix(100))) + (text.utf8.count > 100 ? "…" : "")
  }
}

/// Why a configuration is not taken: everything that is wrong with it.
struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
  var errors: [ConfigurationError]
  var warnings: [ConfigurationError]

  var description: String {
    errors.map(\.description).joined(separator: "\n")
  }
}
