import DropEngine
import DropSystem

/// The command-line tool, which picks the verb and passes the other arguments to it.
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
      if arguments.wantsHelp { return Help.showGeneral() }
      if arguments.wantsVersion { return Help.showVersion() }
      throw .usage("no command given; the commands are \(verbs.map { $0.name }.joined(separator: ", "))")
    }
    if first == "help" { return try Help.show(arguments.nextWord()) }
    let verb = try named(first.description)
    let parsed = try arguments.parse(verb.options + [Help.socket, Help.help], of: verb.name)
    if parsed.has(Help.help) { return Help.show(verb) }
    socket = parsed.value(Help.socket) ?? socket
    return try verb.init(parsed).run(Daemon(socket: socket))
  }

  static func named(_ word: String) throws(Failure) -> any Verb.Type {
    if let verb = verbs.first(where: { $0.name == word }) { return verb }
    throw .usage("unknown command '\(word)'" + Suggestion.nearest(to: word, among: verbs.map { $0.name } + ["help"]))
  }
}
