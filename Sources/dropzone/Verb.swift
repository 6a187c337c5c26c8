/// One command of the tool.
protocol Verb: SendableMetatype {
  static var name: String { get }
  /// What it does, for the list of all.
  static var summary: String { get }
  /// What goes after the name.
  static var usage: String { get }
  static var options: [Option] { get }
  /// What else one should know; paragraphs.
  static var details: String { get }

  /// Takes what was given, and refuses what makes no sense.
  init(_ given: Given) throws(Failure)
  func run(_ daemon: Daemon) throws(Failure) -> ExitCode
}

extension Verb {
  static var details: String { "" }
}

/// How the tool ends: sysexits(3).
enum ExitCode: Int32 {
  case done = 0
  case no = 1
  case usage = 64
  case unavailable = 69
}

/// Why a command ends without having done it, in one line for a person.
struct Failure: Error {
  let code: ExitCode
  let message: String

  static func usage(_ message: String) -> Failure { Failure(code: .usage, message: message) }

  static func no(_ message: String) -> Failure { Failure(code: .no, message: message) }
}
