/// One command of the tool.
protocol Verb: SendableMetatype {
  static var name: String { get }
  /// What it does, in one line for the list of commands.
  static var summary: String { get }
  /// Its arguments, as help texts show them.
  static var usage: String { get }
  static var options: [Option] { get }
  /// Further paragraphs for its help text.
  static var details: String { get }

  /// Reads the arguments; throws if they are not valid for this command.
  init(_ arguments: ParsedArguments) throws(Failure)
  func run(_ daemon: Daemon) throws(Failure) -> ExitCode
}

extension Verb {
  static var details: String { "" }
}

/// The exit status of the tool; see sysexits(3).
enum ExitCode: Int32 {
  case done = 0
  case no = 1
  case usage = 64
  case unavailable = 69
}

/// The reason why a command did not succeed, in one line for people.
struct Failure: Error {
  let code: ExitCode
  let message: String

  static func usage(_ message: String) -> Failure { Failure(code: .usage, message: message) }

  static func no(_ message: String) -> Failure { Failure(code: .no, message: message) }
}
