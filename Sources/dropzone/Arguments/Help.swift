import DropControl
import DropEngine

/// What the tool says of itself.
enum Help {
  static let socket = Option("--socket", "PATH", "where the daemon answers")
  static let help = Option("--help", nil, "show this")
  static let version = Option("--version", nil, "show the version")
  static let general = [socket, help, version]

  static func showVersion() -> ExitCode {
    Output.line("dropzone \(Version.current)")
    return .done
  }

  static func showGeneral() -> ExitCode {
    Output.line("Usage: dropzone [--socket PATH] COMMAND\n")
    Output.line("Shows what is in the drop zones of this machine, and what became of what was dropped.\n")
    list(Main.verbs.map { ($0.name, $0.summary) })
    Output.line("")
    list(general.map { ($0.shape, $0.summary) })
    Output.line("\ndropzone COMMAND --help says more. Exits with 0 when it is done, 1 when the answer is no,")
    Output.line("64 when the command makes no sense, 69 when no daemon answers.")
    return .done
  }

  static func show(_ word: RawPath?) throws(Failure) -> ExitCode {
    guard let word else { return showGeneral() }
    return show(try Main.named(word.description))
  }

  static func show(_ verb: any Verb.Type) -> ExitCode {
    Output.line("Usage: dropzone \(verb.name) \(verb.usage)\n")
    Output.line(verb.summary.prefix(1).uppercased() + verb.summary.dropFirst() + ".")
    if !verb.details.isEmpty { Output.line("\n" + verb.details) }
    Output.line("")
    list((verb.options + [socket, help]).map { ($0.shape, $0.summary) })
    return .done
  }

  private static func list(_ rows: [(String, String)]) {
    let width = rows.map(\.0.count).max() ?? 0
    for row in rows { Output.line("  \(row.0)\(String(repeating: " ", count: width - row.0.count))  \(row.1)") }
  }
}
