import DropEngine
import DropSystem

/// The command-line tool: picks the verb and hands it the rest.
@main struct Main {
  static let verbs: [any Verb.Type] = [
    StatusVerb.self, ExplainVerb.self, PutVerb.self, HistoryVerb.self, RejectsVerb.self, RetryVerb.self,
    ReleaseVerb.self, UndoVerb.self, PauseVerb.self, ResumeVerb.self, ReloadVerb.self, WaitVerb.self, TypeVerb.self,
    CheckVerb.self,
  ]

  static func main() {
    endProcess(with: outcome(of: Arguments(ProcessArguments.all)).rawValue)
  }

  private static func outcome(of arguments: Arguments) -> ExitCode {
    var arguments = arguments
    do throws(Failure) {
      return try run(&arguments)
    } catch {
      Output.complain(error.message)
      return error.code
    }
  }

  private static func run(_ arguments: inout Arguments) throws(Failure) -> ExitCode {
    var socket = try arguments.takeLeading(Help.general)
    guard let first = arguments.nextWord() else {
      if arguments.isAskedForHelp { return Help.showGeneral() }
      if arguments.isAskedForVersion { return Help.showVersion() }
      throw .usage("a command is wanted: \(verbs.map { $0.name }.joined(separator: ", "))")
    }
    if first == "help" { return try Help.show(arguments.nextWord()) }
    let verb = try named(first.description)
    let given = try arguments.parse(verb.options + [Help.socket, Help.help], of: verb.name)
    if given.has(Help.help) { return Help.show(verb) }
    socket = given.value(Help.socket) ?? socket
    return try verb.init(given).run(Daemon(socket: socket))
  }

  static func named(_ word: String) throws(Failure) -> any Verb.Type {
    if let verb = verbs.first(where: { $0.name == word }) { return verb }
    throw .usage("no command '\(word)'" + Hint.nearest(to: word, among: verbs.map { $0.name } + ["help"]))
  }
}
