internal import DropEngine

/// An error or warning about a configuration, with its place.
struct ConfigurationError: Error, Hashable, Sendable {
  var file: String
  var line: Int?
  var group: String?
  var key: String?
  var value: String?
  var problem: String
  /// The value that was probably meant.
  var nearest: String?
}

extension ConfigurationError: CustomStringConvertible {
  /// One line such as `FILE:LINE: [Group] Key=value: what is wrong; did you mean 'this'?`
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

/// All errors that prevent a configuration from being used.
struct ConfigurationErrors: Error, Hashable, Sendable, CustomStringConvertible {
  var errors: [ConfigurationError]
  var warnings: [ConfigurationError]

  var description: String {
    errors.map(\.description).joined(separator: "\n")
  }
}
