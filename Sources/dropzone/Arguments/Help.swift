import DropControl
import DropEngine

/// The help texts.
enum Help {
  static let socket = Option("--socket", "PATH", "connect to the daemon at this socket")
  static let help = Option("--help", nil, "show this help")
  static let version = Option("--version", nil, "show the version")
  static let general = [socket, help, version]

  static func showVersion() -> ExitCode {
    Output.line("dropzone \(Version.current)")
    return .done
  }

  static func showGeneral() -> ExitCode {
    Output.line("Usage: dropzone [--socket PATH] COMMAND\n")
    Output.line("Shows and controls the drop zones of this machine.\n")
    list(Main.verbs.map { ($0.name, $0.summary) })
    Output.line("")
    list(general.map { ($0.shape, $0.summary) })
    Output.line("\nRun 'dropzone COMMAND --help' for details. Exits with 0 for done, 1 for no,")
    Output.line("64 for a usage error, and 69 if the daemon is not available.")
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
