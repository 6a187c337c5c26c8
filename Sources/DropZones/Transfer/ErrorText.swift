internal import DropEngine

/// Formats errors that a program's own code threw.
enum ErrorText {
  /// Returns one line, escaped and truncated.
  static func text(of error: any Error) -> String {
    let text = (error as? DecodingError).map { words(of: $0) } ?? String(describing: error)
    return HandlerAnswer.reason(Array(text.utf8)) ?? "it failed"
  }

  private static func words(of error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context): "'\(path(context.codingPath + [key]))' is missing"
    case .valueNotFound(_, let context): "'\(path(context.codingPath))' is null"
    case .typeMismatch(let type, let context):
      context.codingPath.isEmpty ? "it is not of type \(type)" : "'\(path(context.codingPath))' is not of type \(type)"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? context.debugDescription : "'\(path(context.codingPath))': \(context.debugDescription)"
    @unknown default: String(describing: error)
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map { key in key.intValue.map { "\($0)" } ?? key.stringValue }.joined(separator: ".")
  }
}
